// Stands in for PowerShell under Wine (pwsh.c). It understands the one line that mcphooks writes and refuses any other,
// so it shows that a client hands the line on whole; how PowerShell itself reads it is not shown.
import { spawnSync } from 'node:child_process';

const QUOTES = /['\u2018-\u201b]/;
const words = process.argv.slice(2);
const at = words.findIndex((word) => /^-c(ommand)?$/i.test(word));
const [, body] =
  /^try \{ & (.*) \} catch \{\}; exit 0/s.exec(at < 0 ? '' : words.slice(at + 1).join(' ')) ?? [];
const parts = body === undefined ? undefined : quoted(body);
if (parts === undefined) {
  process.stderr.write(`not understood: ${JSON.stringify(words)}\r\n`);
  process.exit(1);
}
const [program, ...args] = parts;
spawnSync(program, args, { stdio: 'inherit' });
process.exit(0);

/** Words in single quotes or bare; a quote within is doubled. */
function quoted(text) {
  const found = [];
  let rest = text.trim();
  while (rest !== '') {
    if (!QUOTES.test(rest[0])) {
      const [bare] = /^[^\s'"$`;|&(){}]+/.exec(rest) ?? [];
      if (bare === undefined) return undefined;
      found.push(bare);
      rest = rest.slice(bare.length).trimStart();
      continue;
    }
    let word = '';
    let i = 1;
    for (; i < rest.length; i++) {
      if (!QUOTES.test(rest[i])) word += rest[i];
      else if (QUOTES.test(rest[i + 1] ?? '')) word += rest[++i];
      else break;
    }
    if (i >= rest.length) return undefined;
    found.push(word);
    rest = rest.slice(i + 1).trimStart();
  }
  return found;
}
