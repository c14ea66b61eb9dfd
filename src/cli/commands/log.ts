import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../app/context.ts';
import { assertKnown, loggedLinesReader, recordsHere } from '../../app/log.ts';
import { isClosed } from '../../base/terminal.ts';
import { visibleJson } from '../../base/visible.ts';
import type { ClientId } from '../../clients/client.ts';
import { hasVariable } from '../../declarations/variables.ts';
import { statOf } from '../../fire/files.ts';
import { logging } from '../../fire/log.ts';
import { LOG_FILE } from '../../fire/own-folders.ts';
import type { LogEntry } from '../../inspect/entries.ts';
import { AS_DECLARED, earlierLines, LOG_OFF, NOTHING_FITS, NOTHING_LOGGED } from '../../messages/log.ts';
import { maskMessage } from '../../servers/masking/mask-message.ts';
import type { Exit } from '../exit.ts';
import { type Since, sinceTime } from '../flags.ts';
import { linePrinter } from '../text/log.ts';

interface LogFlags {
  follow?: boolean;
  session?: string;
  client?: ClientId[];
  since?: Since;
  json?: boolean;
}

/** Lines that are shown when no time and no session is asked for. */
const LINES = 40;
/** Milliseconds between looks at the log. */
const LOOK_MS = 300;

/** `mcphooks log`: prints the lines of the log, newest last. */
export async function run(
  [server]: [server: string | undefined],
  flags: LogFlags,
  context: Context,
): Promise<Exit> {
  const { session, client: clients, json } = flags;
  const since = flags.since && sinceTime(flags.since, context.now());
  const records = await recordsHere(context);
  const news = loggedLinesReader(context, records, { server, clients, session, since });
  const read = (): LogEntry[] =>
    news().map(({ text, ...line }) => ({
      ...line,
      ...(text !== undefined && { text: maskMessage(text) }),
    }));
  const print = json
    ? ({ declared, ...line }: LogEntry) =>
        context.out(visibleJson({ version: 1, command: 'log', ...line }, 0))
    : linePrinter(context, session !== undefined);

  const all = read();
  await assertKnown(server, all, records, context);
  const shown = since !== undefined || session !== undefined || json ? all : all.slice(-LINES);
  const kept = logging(context.env);
  if (!kept.on) context.err(LOG_OFF);
  if (all.length > shown.length) context.err(earlierLines(all.length - shown.length));
  if (all.length === 0 && !flags.follow)
    context.err(clients || session || since ? NOTHING_FITS : NOTHING_LOGGED);
  shown.forEach(print);
  const isTemplate = ({ declared, text = '' }: LogEntry): boolean => declared === true && hasVariable(text);
  if (!json && !kept.texts && shown.some(isTemplate)) context.err(AS_DECLARED);
  if (!flags.follow) return 0;

  const file = join(context.paths.state, LOG_FILE);
  let seen = '';
  while (!isClosed(1)) {
    await wait(LOOK_MS);
    const now = fileState(file);
    if (now === seen) continue;
    seen = now;
    read().forEach(print);
  }
  return 0;
}

/** Returns what changes when something is added to a file. */
function fileState(file: string): string {
  const stat = statOf(file);
  return `${stat?.ino} ${stat?.size}`;
}
