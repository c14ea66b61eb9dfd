/** What the log says, against what the model was sent. */

const OURS = /\[mcphooks (\w{8}) \| MCP server "[^"]*" \| (\w+) \| [^\n]*\]\n[\s\S]*?\n\[\/mcphooks \1\]/g;

/** All string values below a value. */
const strings = (value) =>
  typeof value === 'string'
    ? [value]
    : value && typeof value === 'object'
      ? Object.values(value).flatMap(strings)
      : [];

/**
 * The texts of hooks in a session's requests, by `<tag> <event> <characters>`: how often at least (as at the first
 * prompt that has it) and at most. Later requests hold the texts of earlier prompts again, which nothing tells from new
 * ones of the shell, whose tag is the install's; each text of node has a tag of its own. A client may hold a
 * tool's result twice once a session is resumed (FINDINGS.md).
 */
function received(requests) {
  const runs = new Map();
  for (const { run, body } of requests) {
    const here = new Map();
    for (const text of strings(body.messages ?? body.input ?? body.contents ?? []))
      for (const [whole, tag, event] of text.matchAll(OURS)) {
        const key = `${tag} ${event} ${[...whole].length}`;
        here.set(key, (here.get(key) ?? 0) + 1);
      }
    for (const [key, times] of here) {
      const all = runs.get(key) ?? new Map();
      runs.set(key, all.set(run, Math.max(times, all.get(run) ?? 0)));
    }
  }
  const spans = [...runs].map(([key, all]) => [key, [...all.values()]]);
  return new Map(spans.map(([key, all]) => [key, { least: all[0], most: all.reduce((a, b) => a + b) }]));
}

/** Whether `log` and `stats` say exactly what the model was sent in these sessions; `detail`: both, where they differ. */
export async function logHolds(bench, sessions) {
  const [log, stats] = [await bench.mcphooks('log', '--json'), await bench.mcphooks('stats', '--json')];
  const given = log.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter(({ chars, incident }) => chars !== undefined && incident === undefined);
  const said = given.map(({ tag, event, chars }) => `${tag} ${event} ${chars}`).sort();
  const times = (key) => said.filter((other) => other === key).length;
  const sent = sessions.map(({ requests }) => received(requests));
  const bound = (key, which) => sent.reduce((sum, one) => sum + (one.get(key)?.[which] ?? 0), 0);
  const keys = [...new Set([...said, ...sent.flatMap((one) => [...one.keys()])])];
  const wrong = keys.filter((key) => times(key) < bound(key, 'least') || times(key) > bound(key, 'most'));
  const { all = {} } = JSON.parse(stats.stdout);
  const total = given.reduce((sum, { chars }) => sum + chars, 0);
  const whole = given.every(({ session, project, client, server }) => session && project && client && server);
  return {
    holds: wrong.length === 0 && said.length > 0 && all.texts === said.length && all.chars === total && whole,
    detail: `${wrong.map((key) => `${key}: ${times(key)} in the log, ${bound(key, 'least')} to ${bound(key, 'most')} sent`)}; stats: ${all.texts} texts, ${all.chars} characters; fields: ${whole}`,
  };
}
