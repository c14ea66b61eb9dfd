import fc from 'fast-check';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';

/** A client's hook file as its user has it, by its path below the home or the project; `text`: null where there is none. */
export interface UserFile {
  path: string;
  text: string | null;
}

const OWN = { type: 'command', command: 'echo own' };
const GROUP = { matcher: 'Own', hooks: [OWN] };
const toml = (own: boolean): string =>
  [
    '# mine\nmodel = "opus"\n',
    ...(own
      ? [
          '[[hooks.PostToolUse]]\nmatcher = "Own"\nhooks = [ { type = "command", command = "echo own" } ] # own\n',
        ]
      : []),
    '[projects."/home/user/shop"]\ntrust_level = "trusted"\n',
  ].join('\n');

/** What a user may have at these paths, and whether the client takes comments and a byte order mark there. */
const FILES: readonly { path: string; value: object; own?: object; comments?: true; bom?: true }[] = [
  {
    path: '.claude/settings.json',
    value: { model: 'opus' },
    own: { hooks: { PostToolUse: [GROUP] } },
    bom: true,
  },
  {
    path: '.gemini/settings.json',
    value: { model: { name: 'opus' } },
    own: { hooks: { AfterTool: [GROUP] } },
    comments: true,
  },
  {
    path: '.qwen/settings.json',
    value: { model: { name: 'opus' } },
    own: { hooks: { PostToolUse: [GROUP] } },
    comments: true,
  },
  {
    path: '.factory/settings.json',
    value: { model: 'opus' },
    own: { hooks: { PostToolUse: [GROUP] } },
    comments: true,
  },
  { path: '.factory/hooks.json', value: {}, own: { SessionStart: [GROUP] }, comments: true },
  {
    path: '.cursor/hooks.json',
    value: { version: 1 },
    own: { hooks: { postToolUse: [{ matcher: 'Own', command: 'echo own' }], stop: [{ command: 'opus' }] } },
    comments: true,
  },
  { path: '.codex/hooks.json', value: {}, own: { description: 'opus', hooks: { PostToolUse: [GROUP] } } },
  { path: '.copilot/hooks/own.json', value: { version: 1, hooks: {} } },
];

const spelling = fc.record({
  hooks: fc.constantFrom('own', 'own', 'empty', 'none'),
  indent: fc.constantFrom(2, 2, '\t', 4, 0),
  crlf: fc.boolean(),
  end: fc.constantFrom('\n', '\n', '', '\n\n'),
  bom: fc.boolean(),
  comment: fc.boolean(),
});

type Spelling = typeof spelling extends fc.Arbitrary<infer T> ? T : never;

function spelled(text: string, { crlf, end, bom }: Spelling, takesBom: boolean): string {
  const lines = text.trimEnd() + end;
  return (bom && takesBom ? '\uFEFF' : '') + (crlf ? lines.replaceAll('\n', '\r\n') : lines);
}

/** Each of the files, one in three missing. */
export const userFiles: fc.Arbitrary<UserFile[]> = fc
  .tuple(fc.option(spelling), ...FILES.map(() => fc.option(spelling, { freq: 2 })))
  .map(([codex, ...others]) => [
    { path: '.codex/config.toml', text: codex && spelled(toml(codex.hooks === 'own'), codex, true) },
    ...FILES.map(({ path, value, own, comments, bom }, i) => {
      const how = others[i];
      // Codex reads both of its files; two representations with hooks are another test's concern.
      if (!how || (path === '.codex/hooks.json' && (codex?.hooks === 'own' || how.hooks !== 'own')))
        return { path, text: null };
      if (path === '.factory/hooks.json' && how.hooks !== 'own') return { path, text: null };
      const hooks = how.hooks === 'own' ? own : how.hooks === 'empty' ? { hooks: {} } : {};
      const json = JSON.stringify({ ...value, ...hooks }, null, how.indent);
      return { path, text: spelled(comments && how.comment ? `// mine\n${json}` : json, how, bom === true) };
    }),
  ]);

const isToml = (path: string): boolean => path.endsWith('.toml');

/** The value of a file without its version, and without what is empty: lists, tables and the groups that Codex counts. */
export function contentOf(path: string, text: string | null): unknown {
  const body = (text ?? '').replace(/^\uFEFF/, '');
  const { version: _, ...value } = isToml(path) ? parseToml(body) : parseJsonc(body === '' ? '{}' : body);
  return JSON.parse(JSON.stringify(withoutEmpty(value) ?? {}));
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(withoutEmpty).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  if (value === null || typeof value !== 'object') return value;
  if ('x-mcphooks' in value) return undefined;
  const members = Object.entries(value)
    .map(([key, of]) => [key, withoutEmpty(of)] as const)
    .filter(([, of]) => of !== undefined);
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

const other = (n: number): string =>
  `{ "matcher": "Other${n}", "hooks": [{ "type": "command", "command": "echo ${n}" }] }`;
const group = (path: string, n: number): string =>
  path.startsWith('.cursor') ? `{ "matcher": "Other${n}", "command": "echo ${n}" }` : other(n);

/** Edits of the user's own parts of a file, which come to the same with and without our entries; `n` makes them differ. */
export const USER_EDITS: Record<string, (text: string, path: string, n: number) => string> = {
  'change a value': (text, _path, n) => text.replace(/opus\d*/, `opus${n}`),
  'add a line': (text, path, n) =>
    isToml(path)
      ? text.replace(/^model/m, `k${n} = ${n} # k\nmodel`)
      : text.replace('"model"', `"k${n}": ${n}, "model"`),
  'add a hook before the own one': (text, path, n) =>
    isToml(path)
      ? text.replace(/(\[\[hooks\.PostToolUse\]\]\r?\nmatcher = )"Own"/, `$1"Other${n}"\n\n$1"Own"`)
      : text.replace(/\{\s*"matcher":\s*"Own"/, (own) => `${group(path, n)}, ${own}`),
  'add a hook behind the own one': (text, path, n) =>
    text.replace(
      path.startsWith('.cursor') ? /"echo own"\s*\}/ : /"echo own"\s*\}\s*\]\s*\}/,
      (own) => `${own}, ${group(path, n)}`,
    ),
  'other line ends': (text) =>
    text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text.replaceAll('\n', '\r\n'),
};
