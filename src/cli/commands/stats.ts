import { closeSync, constants, openSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../../app/context.ts';
import { assertKnown, loggedLinesReader, recordsHere } from '../../app/log.ts';
import { readIfThere } from '../../base/read-file.ts';
import type { ClientId } from '../../clients/client.ts';
import type { LogLine } from '../../fire/log.ts';
import { installFinder } from '../../inspect/entries.ts';
import { adviceOn, statsOf } from '../../inspect/stats.ts';
import { Fault } from '../../messages/fault.ts';
import { adviceText, NOTHING_COUNTED, NOTHING_FITS } from '../../messages/log.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { Exit } from '../exit.ts';
import { type Since, sinceTime } from '../flags.ts';
import { printJson } from '../json/print.ts';
import { statsText } from '../text/stats.ts';
import { isStatsPicture, statsPicture } from '../text/stats-picture.ts';

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
  const lines = loggedLinesReader(context, records, { server, clients, since })();
  await assertKnown(server, lines, records, context);
  const stats = statsOf(lines);
  const advice = adviceFor(lines, records);
  if (svg !== undefined) writePicture(svg, statsPicture(stats), context);
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
  if (stats.fired === 0) context.err(since || clients ? NOTHING_FITS : NOTHING_COUNTED);
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

/**
 * Returns what the numbers of the installed hooks suggest. Lines from before the last change of an install don't count:
 * a number may have been another hook's.
 */
function adviceFor(lines: readonly LogLine[], records: readonly ServerRecord[]): Advice[] {
  const installsOf = installFinder(records);
  // A project's hooks give way to the user's, which come first.
  const from = lines.map((line) => installsOf(line)[0]);
  const hooks = records.flatMap((record) =>
    statsOf(lines.filter((_, i) => from[i] === record)).hooks.map((hook) => ({ hook, record })),
  );
  const suggested = hooks.flatMap(({ hook, record }) => {
    const declaration = record.declarations[hook.n - 1];
    if (declaration?.event !== hook.event) return [];
    const { cooldown } = record.options as { cooldown?: unknown };
    const cold = isCold(record);
    const code = adviceOn(hook, {
      calls: declaration.context_tool !== undefined,
      cooldown: Boolean(cooldown) || declaration.when?.cooldown !== undefined,
      cold,
    });
    return code ? [{ code, hook, record, cold }] : [];
  });
  return suggested.map(({ code, hook: { server, n, event, fired, median }, record, cold }) => {
    const { skip } = record.options as { skip?: unknown };
    // Each command replaces the remembered list, so it names all.
    const never = suggested.filter((one) => one.record === record && one.code === 'never');
    const skipped = [...(Array.isArray(skip) ? skip : []), ...never.map(({ hook }) => hook.n)].map(String);
    const about = { server, n, event, scope: record.scope, skipped: [...new Set(skipped)], fired, cold };
    const { text, command } = adviceText(code, { ...about, ...(median !== undefined && { ms: median }) });
    return { code, server, n, message: text, command };
  });
}

/** True when each call of a tool starts the server: it runs on this machine, and isn't kept running. */
function isCold({ options, definition }: ServerRecord): boolean {
  const { keepWarm } = options as { keepWarm?: unknown };
  return !keepWarm && definition !== undefined && !/^https?:/i.test(definition.shown);
}

/** Writes the picture, in place of no file but an earlier picture. */
function writePicture(file: string, picture: string, { cwd }: Context): void {
  const path = resolve(cwd, file);
  let pipe: number | undefined;
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    // /dev/stdout and the like replace nothing.
    const before = stat?.isFile() && readIfThere(path);
    if (before && !isStatsPicture(before.toString())) throw new Fault('apply.exists', {}, { file: path });
    // To wait for somebody who reads a pipe may take forever.
    if (stat?.isFIFO()) pipe = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    // A new file is made here, not where a link of a clone's leads.
    writeFileSync(path, picture, { flag: stat ? 'w' : 'wx' });
  } catch (error) {
    if (error instanceof Fault) throw error;
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new Fault('usage.no-write', { file, option: '--svg', reason });
  } finally {
    if (pipe !== undefined) closeSync(pipe);
  }
}
