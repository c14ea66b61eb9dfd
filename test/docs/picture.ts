/** A terminal's screen as an SVG that needs nothing from elsewhere and brings its own ground, for light and dark pages. */

const CELL = { width: 8.4, height: 19 };
const PAD = 18;
const GROUND = '#1b1f27';
const BORDER = '#3a4150';
/** By SGR parameter; each has a contrast of at least 4.5 with the ground. */
const COLOURS: Readonly<Record<string, string>> = { 31: '#ff8f8f', 32: '#8fdb8f', 35: '#e3a3f0' };
const TEXT = '#e4e7ec';
const DIM = '#9aa3b2';

const ESCAPE = '\u001b[';

interface Run {
  text: string;
  column: number;
  fill: string;
  bold: boolean;
}

export function picture(screen: string, title: string): string {
  const rows = runsOf(screen);
  const columns = Math.max(...rows.flat().map((run) => run.column + run.text.length));
  const width = Math.ceil(columns * CELL.width + 2 * PAD);
  const height = rows.length * CELL.height + 2 * PAD;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${GROUND}" stroke="${BORDER}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">`,
    ...rows.flatMap((runs, row) => runs.map((run) => textOf(run, row))),
    '</g>',
    '</svg>',
  ].join('\n')}\n`;
}

/** By rows; a colour lasts beyond the end of a row. */
function runsOf(screen: string): Run[][] {
  let [fill, bold, dim] = [TEXT, false, false];
  const select = (codes: string): void => {
    for (const n of (codes || '0').split(';')) {
      if (n === '0') [fill, bold, dim] = [TEXT, false, false];
      else if (n === '1') bold = true;
      else if (n === '2') dim = true;
      else if (n === '22') [bold, dim] = [false, false];
      else fill = COLOURS[n] ?? TEXT;
    }
  };
  return screen.split(/\r?\n/).map((line) => {
    const runs: Run[] = [];
    let column = 0;
    for (const [i, piece] of line.split(ESCAPE).entries()) {
      const [sequence = '', codes = '', final] = (i > 0 && /^([\d;?]*)([a-zA-Z])/.exec(piece)) || [];
      if (final === 'm') select(codes);
      const text = piece.slice(sequence.length);
      // Fonts differ in their width, so that each run has its place and length; blanks need none.
      for (const part of text.matchAll(/\S(?:.*?\S)?(?= {2,}|\s*$)/g))
        runs.push({ text: part[0], column: column + part.index, fill: dim ? DIM : fill, bold });
      column += text.length;
    }
    return runs;
  });
}

function textOf({ text, column, fill, bold }: Run, row: number): string {
  const x = (PAD + column * CELL.width).toFixed(1);
  const y = PAD + row * CELL.height + 14;
  const length = (text.length * CELL.width).toFixed(1);
  const weight = bold ? ' font-weight="bold"' : '';
  return `<text x="${x}" y="${y}" textLength="${length}" fill="${fill}"${weight}>${escaped(text)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
