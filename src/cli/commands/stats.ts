import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../../app/context.ts';
import { assertKnown, loggedLines, recordsHere } from '../../app/log.ts';
import type { ClientId } from '../../clients/client.ts';
import { adviceOn, type HookSum, statsOf } from '../../inspect/stats.ts';
import { adviceText, NOTHING_FITS, NOTHING_LOGGED } from '../../messages/log.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { Exit } from '../exit.ts';
import { type Since, sinceTime } from '../flags.ts';
import { printJson } from '../json/print.ts';
import { statsText } from '../text/stats.ts';
import { statsPicture } from '../text/stats-picture.ts';

interface StatsFlags {
  client?: ClientId[];
  since?: Since;
  svg?: string;
  json?: boolean;
}

/** `mcphooks stats`: counts the lines of the log. */
export async function run(
  [server]: [server: string | undefined],
  flags: StatsFlags,
  context: Context,
): Promise<Exit> {
  const { client: clients, json, svg } = flags;
  const since = flags.since && sinceTime(flags.since, context.now());
  const records = await recordsHere(context);
  const lines = loggedLines(context, records, { server, clients, since });
  await assertKnown(server, lines, records, context);
  const stats = statsOf(lines);
  const advice = stats.hooks.flatMap((hook) => advise(hook, records));
  if (svg !== undefined) writeFileSync(resolve(context.cwd, svg), statsPicture(stats));
  if (json) {
    const { hooks, clients: byClient, days, since: first, ...all } = stats;
    const document = {
      all,
      hooks,
      clients: byClient,
      days,
      advice,
      ...(first !== undefined && { since: first }),
    };
    printJson('stats', { status: 'counted', exit: 0, faults: [], ...document }, context);
    return 0;
  }
  if (stats.fired === 0) context.err(since || clients ? NOTHING_FITS : NOTHING_LOGGED);
  else context.out(statsText(stats, advice, context));
  return 0;
}

interface Advice {
  code: string;
  server: string;
  n: number;
  message: string;
  command: string;
}

/** Returns what the numbers of an installed hook suggest. */
function advise(hook: HookSum, records: readonly ServerRecord[]): Advice[] {
  const { server, n, fired, median } = hook;
  const record = records.find((one) => one.server === server);
  const declaration = record?.declarations[n - 1];
  if (!record || declaration?.event !== hook.event) return [];
  const { cooldown, skip } = record.options as { cooldown?: unknown; skip?: unknown };
  const code = adviceOn(hook, {
    calls: declaration.context_tool !== undefined,
    cooldown: Boolean(cooldown) || declaration.when?.cooldown !== undefined,
  });
  if (!code) return [];
  const skipped = Array.isArray(skip) ? skip.map(String) : [];
  const about = { server, n, event: hook.event, scope: record.scope, skipped, fired };
  const { text, command } = adviceText(code, { ...about, ...(median !== undefined && { ms: median }) });
  return [{ code, server, n, message: text, command }];
}
