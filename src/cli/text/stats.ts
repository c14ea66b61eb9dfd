import type { Context } from '../../app/context.ts';
import { valuesByKey } from '../../base/grouped.ts';
import { hanging, wrapped } from '../../base/text-style.ts';
import { excerpt, oneLine } from '../../base/visible.ts';
import type { Stats, Sum } from '../../inspect/stats.ts';
import { STATS_WORDS, totalText } from '../../messages/log.ts';
import { thousands } from '../../messages/words.ts';
import { clientTitle } from './log.ts';

/** Columns of the names beside bars, of a hook, of the numbers behind it, and the fewest of all. */
const NAME = 18;
const HOOK = 16;
const NUMBERS = [7, 7, 10, 14, 6];
const LEAST = 60;
/** Days that are shown. */
const DAYS = 14;

const row = (name: string, cells: readonly string[]): string =>
  (name.padEnd(HOOK) + cells.map((cell, i) => ` ${cell}`.padStart(NUMBERS[i] ?? 0)).join('')).trimEnd();

/** Returns a bar of at most `room` columns: 1 for anything above 0. */
const bar = (value: number, most: number, room: number): string =>
  '█'.repeat(value === 0 ? 0 : Math.max(1, Math.round((value / most) * room)));

const cells = ({ fired, texts, tokens, median, p95, failures }: Sum): string[] => [
  thousands(fired),
  thousands(texts),
  thousands(tokens),
  median === undefined ? '-' : `${thousands(median)}/${thousands(p95 ?? 0)}`,
  thousands(failures),
];

export function statsText(
  { hooks, clients, days, since = '', ...all }: Stats,
  advice: readonly { message: string; command: string }[],
  { style, columns = 80 }: Context,
): string {
  const head = row('', ['fired', 'texts', 'tokens', 'ms 50/95 %', 'fail']);
  const tables = [...valuesByKey(hooks.map((hook) => [hook.server, hook]))].map(([server, own]) =>
    [
      style('bold', excerpt(server, LEAST)),
      style('dim', head),
      ...own.map((hook) => row(`${`${hook.n}`.padStart(2)} ${hook.event}`, cells(hook))),
    ].join('\n'),
  );
  const bars = (title: string, rows: readonly (readonly [string, Sum])[]): string => {
    const most = Math.max(...rows.map(([, { tokens }]) => tokens), 1);
    const room = Math.max(columns, LEAST) - NAME - ` ${thousands(most)}`.length - 1;
    const line = ([name, { tokens }]: readonly [string, Sum]): string =>
      `${name.padEnd(NAME)}${bar(tokens, most, room)} ${thousands(tokens)}`;
    return [style('bold', title), ...rows.map(line)].join('\n');
  };
  return [
    hanging(`${totalText(since, all)}.`, 0, columns),
    ...tables,
    bars(
      STATS_WORDS.clients,
      clients.map((one) => [clientTitle(one.client), one]),
    ),
    bars(
      STATS_WORDS.days,
      days.slice(-DAYS).map((one) => [one.day, one]),
    ),
    ...[...valuesByKey(advice.map((one) => [one.command, one.message]))].map(([command, messages]) =>
      [...messages.map((text) => wrapped(text, 0, columns)), `  ${oneLine(command)}`].join('\n'),
    ),
  ].join('\n\n');
}
