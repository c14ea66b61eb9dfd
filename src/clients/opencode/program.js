// A plugin of OpenCode, written by mcphooks. It gives the model the texts that an MCP server declares as hooks.
// What differs between servers is the line with `hooks`; all other lines are the same in every such file.
// An update or an uninstall replaces or removes the whole file, with what was changed by hand.
// It runs inside OpenCode, which waits for it without a deadline. So it does nothing when it is loaded, throws nothing,
// ends by its own timer what it starts, prints nothing, and changes nothing but texts that a model reads.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const { hooks = {} } = /* hooks */ {} /* end of hooks */;

/** Milliseconds to wait for OpenCode to say whose session it is. */
const ASK_MS = 800;

/** Most characters of a script's output, and most calls and failures to remember. */
const MOST = 1_000_000;
const MOST_CALLS = 1000;

/** Last line of a whole file of needles. */
const LAST_NEEDLE = '\\u007';

/** Lets this program run a script as Bun would, but without what the folder has in bunfig.toml and .env. */
const asBun = {
  BUN_BE_BUN: '1',
  ...(process.platform !== 'win32' && {
    ...(process.env.BUN_OPTIONS !== undefined && { MCPHOOKS_BUN_OPTIONS: process.env.BUN_OPTIONS }),
    BUN_OPTIONS: '--config=/dev/null --env-file=/dev/null',
  }),
};

/** OpenCode 1.x calls this once for each folder in use. Without an object, every prompt would fail. */
const server = async (given) => tried(() => handlers(given)) ?? {};

function handlers({ client, directory }) {
  const fire = scriptsIn(directory);
  /** By session: whether it is a sub-agent's. */
  const isChild = new Map();
  /** By session: how it starts with its next prompt; undefined once it has started. */
  const starts = new Map();
  /** By session: what is under way since its last turn ended. */
  const stops = new Map();
  /** Sessions whose turn has begun. */
  const turns = new Set();
  /** Calls of tools that are under way, by session and call: some models count calls anew in each session. */
  const calls = new Map();
  /** By the part of a message that tells of a failure: what is said of it. */
  const failures = new Map();

  const isSubAgent = async (id) => {
    if (!isChild.has(id)) {
      const answer = await within(ASK_MS, () => client.session.get({ path: { id } }));
      if (!answer?.data) return false;
      isChild.set(id, Boolean(answer.data.parentID));
    }
    return isChild.get(id);
  };

  const events = {
    'session.created': ({ info }) => {
      isChild.set(info.id, Boolean(info.parentID));
      // `/new`, which is `/clear` too, makes another one.
      starts.set(info.id, stops.size === 0 ? 'startup' : 'clear');
    },
    // The texts of the start are gone with what was compacted.
    'session.compacted': ({ sessionID }) => void starts.set(sessionID, 'compact'),
    // A turn that was interrupted or failed.
    'session.error': ({ sessionID }) => void turns.delete(sessionID),
    // Also after a compaction, which is no turn.
    'session.idle': ({ sessionID }) => {
      if (turns.delete(sessionID)) stops.set(sessionID, fire('Stop', { session_id: sessionID }));
    },
  };

  return guarded({
    event: async ({ event }) => events[event.type]?.(event.properties),

    'chat.message': async ({ sessionID: session_id }, { message, parts }) => {
      const written = parts.filter(isWritten);
      if (written.length === 0 || (await isSubAgent(session_id))) return;
      const source = starts.has(session_id) ? starts.get(session_id) : 'resume';
      starts.set(session_id, undefined);
      turns.add(session_id);
      await stops.get(session_id);
      stops.set(session_id, undefined);
      const prompt = written.map(({ text }) => text ?? '').join('\n');
      const text = await joined([
        source && fire('SessionStart', { session_id, source }),
        fire('UserPromptSubmit', { session_id, prompt }),
      ]);
      if (!text) return;
      // Parts are sorted by id: behind the last one.
      const last = parts.map((part) => part?.id ?? '').reduce((a, b) => (a < b ? b : a));
      if (!last) return;
      const own = { id: `${last}z`, sessionID: message.sessionID, messageID: message.id };
      parts.push({ ...own, type: 'text', text, synthetic: true });
    },

    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      const call = { session_id: sessionID, tool_name: tool, tool_input: args };
      // The tool doesn't wait for it.
      remember(calls, keyOf({ sessionID, callID }), { call, before: fire('PreToolUse', call) });
    },

    'tool.execute.after': async ({ tool, sessionID, callID, args }, output) => {
      const before = taken(calls, keyOf({ sessionID, callID }))?.before;
      const call = { session_id: sessionID, tool_name: tool, tool_input: args };
      const after = fire('PostToolUse', { ...call, tool_response: responseOf(output) });
      const text = await joined([before, after]);
      if (!text) return;
      // The result of a server's tool is cut after this, at its end.
      if (Array.isArray(output.content)) output.content.unshift({ type: 'text', text });
      else output.output = `${output.output ?? ''}\n\n${text}`;
    },

    // Nothing else is called for a tool that failed or was rejected. What is changed here lasts for one request.
    'experimental.chat.messages.transform': async (_, { messages }) => {
      const parts = messages.flatMap((message) => message?.parts ?? []);
      // Where ids of calls come again, the last part with one is meant.
      await Promise.all(parts.reverse().map(explain));
    },

    // OpenCode ends when this does.
    dispose: async () => {
      await Promise.all(stops.values());
      const over = [...stops.keys()];
      stops.clear();
      await Promise.all(over.map((session_id) => fire('SessionEnd', { session_id, reason: 'exit' })));
    },
  });

  async function explain(part) {
    const { status, error } = part?.state ?? {};
    if (status !== 'error' || typeof error !== 'string') return;
    const failed = failures.has(part.id) ? undefined : taken(calls, keyOf(part));
    if (failed) {
      const says = fire('PostToolUseFailure', { ...failed.call, error });
      remember(failures, part.id, joined([failed.before, says]));
    }
    const text = await failures.get(part.id);
    if (text && !error.endsWith(text)) part.state = { ...part.state, error: `${error}\n\n${text}` };
  }
}

const keyOf = ({ sessionID, callID }) => `${sessionID} ${callID}`;

function remember(map, key, value) {
  map.set(key, value);
  if (map.size > MOST_CALLS) map.delete(map.keys().next().value);
}

function taken(map, key) {
  const value = map.get(key);
  map.delete(key);
  return value;
}

/** True for a part of a prompt that somebody wrote. Other plugins and OpenCode itself add parts, too. */
const isWritten = (part) => part && part.type !== 'compaction' && !part.synthetic && !part.ignored;

/** Returns what a tool answered. A shell command shows the code with which it ended. */
function responseOf({ content, output, metadata }) {
  if (Array.isArray(content)) return { output: content.flatMap((part) => part?.text ?? []).join('\n') };
  const exit = metadata?.exit;
  const failed = exit !== undefined && exit !== 0;
  return { output: String(output ?? ''), ...(failed && { failed }) };
}

/** Returns a function that runs the scripts of an event for a payload, and resolves to their texts. */
function scriptsIn(directory) {
  const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
  const scriptOf = ({ matcher, hooks: [{ command, args, timeout }] }) => {
    const script = resolve(project, args.at(-1));
    // Windows has no shell for a project's script: the runtime beside it does its work, in this program.
    const ownRuntime = process.platform === 'win32' && command === '/bin/sh';
    const before = ownRuntime ? [resolve(project, '.mcphooks/runtime/fire.cjs')] : args.slice(0, -1);
    const tools = matcher === undefined ? undefined : new RegExp(matcher, 's');
    const concerns = fileTest(script.replace(/\.cjs$/, ''));
    return { tools, concerns, command: ownRuntime ? '' : command, words: [...before, script], timeout };
  };
  const scripts = new Map(Object.entries(hooks).map(([event, groups]) => [event, groups.map(scriptOf)]));
  return (event, about) => {
    const all = scripts.get(event) ?? [];
    const fitting = all.filter(({ tools }) => tools?.test(about.tool_name) ?? true);
    if (fitting.length === 0) return undefined;
    const payload = JSON.stringify({ ...about, hook_event_name: event, cwd: directory });
    return joined(fitting.filter((one) => one.concerns(payload)).map((one) => run(one, payload, directory)));
  };
}

/**
 * Returns a test whether a script may have something to say, by the files beside it. The script decides in the same way
 * (templates/shim.sh), but has to be started for that.
 */
function fileTest(script) {
  const files = new Map();
  const read = (suffix) => {
    if (!files.has(suffix)) files.set(suffix, textOf(`${script}.${suffix}`));
    return files.get(suffix);
  };
  const waits = () => {
    const folder = read('kept')?.trim();
    return folder ? namesIn(folder).some((name) => !name.startsWith('.')) : false;
  };
  const holds = (suffix, payload) => {
    const lines = read(suffix)?.split('\n').filter(Boolean);
    return lines?.at(-1) !== LAST_NEEDLE || lines.some((line) => payload.includes(line));
  };
  return (payload) => waits() || (holds('needles', payload) && holds('also', payload));
}

/** Runs a script with a payload. Resolves to its text, or to nothing: whatever is wrong, in time. */
function run({ command, words, timeout }, payload, cwd) {
  return new Promise((done) => {
    let out = '';
    let child;
    const end = (text) => {
      clearTimeout(timer);
      done(text);
    };
    const stop = () => {
      kill(child);
      end();
    };
    const timer = setTimeout(stop, timeout * 1000);
    try {
      // This program is a JavaScript runtime, too: for a script that finds no node, and where the script needs no shell.
      const gone = !existsSync(command);
      const env = { ...process.env, MCPHOOKS_NODE: process.execPath, ...(gone && asBun) };
      const stdio = ['pipe', 'pipe', 'ignore'];
      const detached = process.platform !== 'win32';
      child = spawn(gone ? process.execPath : command, words, { cwd, env, stdio, detached });
      child.on('error', () => end());
      child.stdin.on('error', () => {});
      child.stdout.on('error', () => {});
      child.stdout.setEncoding('utf8').on('data', (chunk) => {
        out += chunk;
        if (out.length > MOST) stop();
      });
      child.on('close', () => end(textIn(out)));
      child.stdin.end(payload);
    } catch {
      stop();
    }
  });
}

/** Ends a script with all that it started. */
const kill = (child) =>
  tried(() => {
    // What left the group may hold the other end for good.
    child.stdout.destroy();
    if (process.platform === 'win32') child.kill();
    else if (child.pid) process.kill(-child.pid, 'SIGKILL');
  });

function textIn(document) {
  const text = tried(() => JSON.parse(document).hookSpecificOutput.additionalContext);
  return typeof text === 'string' ? text : undefined;
}

const textOf = (file) => tried(() => readFileSync(file, 'utf8'));
const namesIn = (folder) => tried(() => readdirSync(folder)) ?? [];

function tried(act) {
  try {
    return act();
  } catch {
    return undefined;
  }
}

const joined = async (texts) => (await Promise.all(texts)).filter(Boolean).join('\n\n');

/** Resolves to the answer, or to nothing when there is none in time. */
function within(ms, ask) {
  let timer;
  const late = new Promise((done) => {
    timer = setTimeout(done, ms);
  });
  const answer = new Promise((done) => done(ask())).catch(() => undefined);
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Returns the functions without their faults: OpenCode gives a fault to the user or to the model. */
function guarded(functions) {
  const quiet =
    (act) =>
    async (...given) => {
      try {
        await act(...given);
      } catch {}
    };
  return Object.fromEntries(Object.entries(functions).map(([name, act]) => [name, quiet(act)]));
}

const id = new URL(import.meta.url).pathname.split('/').at(-1);

/** OpenCode 2.x calls `setup` in place of `server`. Its hooks are others, so nothing is done there. */
export default { id, server, setup: async () => {} };
