import { excerpt } from '../../base/visible.ts';
import type { Stats, Sum } from '../../inspect/stats.ts';
import { STATS_WORDS, totalText } from '../../messages/log.ts';
import { thousands } from '../../messages/words.ts';
import { clientTitle } from './log.ts';

const WIDTH = 640;
const LINE = 22;
/** Where bars begin, and how long the longest is. */
const BAR = { x: 230, width: 320 };

const xml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c] ?? '&quot;');

const LABEL = `aria-label="${STATS_WORDS.picture}">`;

/** True for a text that begins as `statsPicture` does. */
export const isStatsPicture = (text: string): boolean =>
  text.startsWith('<svg xmlns=') && text.slice(0, text.indexOf('\n')).trimEnd().endsWith(LABEL);

/** Returns the statistics as an SVG: tokens by hook, client and day, on light and dark pages alike. */
export function statsPicture({ hooks, clients, days, since = '', ...all }: Stats): string {
  const name = (text: string): string => excerpt(text, 32);
  const parts: [string, [string, Sum][]][] = [
    ['Hooks', hooks.map((one) => [name(`${one.server} ${one.n} ${one.event}`), one])],
    ['Clients', clients.map((one) => [name(clientTitle(one.client)), one])],
    ['Days', days.slice(-14).map((one) => [one.day, one])],
  ];
  let y = 30;
  const out: string[] = [];
  const text = (x: number, words: string, more = ''): void => {
    out.push(`<text x="${x}" y="${y}"${more}>${xml(words)}</text>`);
  };
  text(16, totalText(since, all));
  for (const [title, rows] of parts) {
    y += LINE * 1.5;
    text(16, title, ' font-weight="bold"');
    const most = Math.max(...rows.map(([, { tokens }]) => tokens), 1);
    for (const [label, { tokens }] of rows) {
      y += LINE;
      const width = Math.round((tokens / most) * BAR.width);
      text(16, label);
      out.push(`<rect x="${BAR.x}" y="${y - 12}" width="${width}" height="14" rx="2" fill="#2f81f7"/>`);
      text(BAR.x + width + 8, thousands(tokens));
    }
  }
  const height = y + LINE;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" ${LABEL}`,
    `<g font-family="sans-serif" font-size="13" fill="#768390">`,
    ...out,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}
