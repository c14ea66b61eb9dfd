import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { slashed } from '../platform.ts';

/** The rooms of src/, lowest first: a file imports from its own room or from rooms before it (docs/architecture.md). */
const ORDER =
  'base messages declarations clients edit servers fire store shims plan inspect lint export app cli api bin'.split(
    ' ',
  );
const SRC = fileURLToPath(new URL('../../src', import.meta.url));

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map(slashed)
  .map((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, to = '']) =>
      to.startsWith('.') ? slashed(relative(SRC, resolve(SRC, dirname(file), to))) : to,
    );
    return { file, text, lines: text.split('\n').length - 1, imports, values: valuesFrom(file, text) };
  });
/** Files and packages from which a file takes more than types. */
function valuesFrom(file: string, text: string): string[] {
  const named = [...text.matchAll(/^(?:im|ex)port (?!type )(?:([^';]*) from )?'([^']+)'/gm)];
  const taken = named.filter(([, names = 'all']) =>
    names.split(',').some((name) => /\w/.test(name) && !/^[\s{]*type /.test(name)),
  );
  const lazy = [...text.matchAll(/\bimport\('([^']+)'\)/g)];
  return [...taken.map(([, , to = '']) => to), ...lazy.map(([, to = '']) => to)].map((to) =>
    to.startsWith('.') ? slashed(relative(SRC, resolve(SRC, dirname(file), to))) : to,
  );
}

/** What the files of a room come to when they run: themselves, and what they take values from. */
function closure(name: string): Set<string> {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const to of files.find((f) => f.file === file)?.values ?? []) visit(to);
  };
  for (const { file } of files) if (file.startsWith(`${name}/`)) visit(file);
  return seen;
}

const room = (file: string): number => ORDER.indexOf(file.split('/')[0] ?? '');
const importing = (wrong: (file: string, to: string) => boolean): string[] =>
  files.flatMap(({ file, imports }) =>
    imports.filter((to) => wrong(file, to)).map((to) => `${file} -> ${to}`),
  );

test('every file is in a room, and imports from its own room or from lower ones', () => {
  expect(files.map(({ file }) => file).filter((file) => room(file) < 0)).toEqual([]);
  expect(importing((file, to) => to.endsWith('.ts') && room(to) > room(file))).toEqual([]);
});

test('the runtime imports data and the way to a server alone', () => {
  const allowed = ['base', 'declarations', 'clients', 'servers', 'fire'];
  const outside = (to: string): boolean => to.endsWith('.ts') && !allowed.includes(to.split('/')[0] ?? '');
  expect(importing((file, to) => file.startsWith('fire/') && outside(to))).toEqual([]);
});

/** The folder of a room in which a file is, such as `app/fire`; undefined beside it. */
const folder = (file: string): string | undefined => /^(\w+\/[\w-]+)\//.exec(file)?.[1];

test('no folders of a room import from one another in a circle', () => {
  const below = new Map<string, Set<string>>();
  for (const { file, imports } of files)
    for (const to of imports) {
      const [from, other] = [folder(file), folder(to)];
      if (!from || !other || from === other || room(file) !== room(to)) continue;
      below.set(from, (below.get(from) ?? new Set()).add(other));
    }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(below.get(from) ?? [])].some(
      (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
    );
  expect([...below.keys()].filter((from) => reaches(from, from))).toEqual([]);
});

/** They read what nobody else can have put there: our own package, /proc, /dev/urandom, and the payload on stdin. */
const READERS = [
  'base/assets.ts',
  'base/process.ts',
  'base/read-file.ts',
  'bin/code-cache.ts',
  'fire/programs/fire.ts',
  'fire/programs/joint.ts',
  'fire/warm/proof.ts',
  'servers/process/process-tree.ts',
];

test('all files that others may have put there are read in one way', () => {
  const raw = /\breadFileSync\(|\breadSync\(|\bcreateReadStream\(|fs\/promises/;
  expect(
    files
      .filter(({ text }) => raw.test(text))
      .map(({ file }) => file)
      .sort(),
  ).toEqual(READERS);
});

test('a plan reads no disk and starts no process, whatever files it is made of', () => {
  const made = closure('plan');
  expect(made).toContain('edit/reconcile.ts');
  expect([...made].filter((to) => /^node:(fs|child_process|net|http)/.test(to))).toEqual([]);
  const own = files.filter(({ file }) => file.startsWith('plan/'));
  expect(own.filter(({ text }) => /\bprocess\.\w/.test(text)).map(({ file }) => file)).toEqual([]);
});

test('files and rooms stay small', () => {
  const programs = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => ({ file, lines: readFileSync(join(SRC, file), 'utf8').split('\n').length - 1 }));
  const long = [...files, ...programs].filter(({ lines }) => lines > 300);
  expect(long.map(({ file, lines }) => `${file} ${lines}`)).toEqual([]);
  const sizes = files.map(({ lines }) => lines).sort((a, b) => a - b);
  expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(80);
  const all = sizes.reduce((a, b) => a + b, 0);
  const inRoom = (name: string): number =>
    files.filter(({ file }) => file.startsWith(`${name}/`)).reduce((sum, { lines }) => sum + lines, 0);
  expect(ORDER.filter((name) => inRoom(name) > all / 4)).toEqual([]);
});

/** Returns what code in these places takes from files of src/ by an import or an export: `file: name`. */
const takenIn = (parts: readonly string[]): ReadonlySet<string> =>
  new Set(
    parts.flatMap((part) => {
      const path = join(SRC, '..', part);
      const own = /\.m?[jt]s$/;
      const inside = own.test(part) ? [path] : readdirSync(path, { recursive: true, encoding: 'utf8' });
      return (
        inside
          // The clients that were installed for real sessions aren't the project's.
          .filter((file) => own.test(file) && !/clients[/\\]installed[/\\]/.test(file))
          .flatMap((file) => takenBy(resolve(path, file), readFileSync(resolve(path, file), 'utf8')))
      );
    }),
  );
function takenBy(file: string, text: string): string[] {
  const from = (to: string, names: string[]): string[] => {
    const source = slashed(relative(SRC, resolve(dirname(file), to)));
    return names.map((name) => `${source}: ${name}`);
  };
  const named = [...text.matchAll(/\b(?:im|ex)port (?:type )?\{([^}]*)\} from '(\.[^']+)'/g)];
  const whole = [...text.matchAll(/\b(?:import \* as (\w+)|export \*) from '(\.[^']+)'/g)];
  // Names are taken of a module that `import()` loads in many ways; of a command's module, by its row.
  const lazy = [...text.matchAll(/(load: \(\) => )?\bimport\('(\.[^']+)'\)/g)];
  const words = [...new Set(text.match(/\w+/g))];
  return [
    ...named.flatMap(([, names = '', to = '']) =>
      from(
        to,
        names.split(',').map((name) =>
          name
            .trim()
            .replace(/^type /, '')
            .replace(/ as .*/, ''),
        ),
      ),
    ),
    ...whole.flatMap(([, space, to = '']) =>
      from(
        to,
        space ? [...text.matchAll(new RegExp(`\\b${space}\\.(\\w+)`, 'g'))].map(([, n = '']) => n) : ['*'],
      ),
    ),
    ...lazy.flatMap(([, row, to = '']) => from(to, row ? ['run'] : words)),
  ];
}

/** Exports that tests alone import: each tests, or names in a page, what no function that others call shows as well. */
const FOR_TESTS = [
  'bin/code-cache.ts: SEAL',
  'bin/code-cache.ts: commandCacheFile',
  'declarations/rules.ts: MAX_TEXT',
  'edit/module.ts: ENTRIES',
  'lint/lint.ts: RULES',
  'plan/client/client-version.ts: withoutTarget',
  'plan/compile/budget.ts: EVENT_BUDGET',
  'servers/definitions/definition-hash.ts: coveredText',
  'store/fs.ts: codeFor',
  'store/fs.ts: patient',
];

test('what a file exports is imported by another one of the program', () => {
  const program = takenIn(['src', 'scripts', 'build.mjs', 'setup.mjs']);
  const byTests = takenIn(['test']);
  // What these two export is imported by users of the library.
  const entries = ['api/index.ts', 'api/hooks.ts'];
  const unused = files
    .filter(({ file }) => !entries.includes(file) && !program.has(`${file}: *`))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/^export (?:async )?(?:const|function|(?:abstract )?class|interface|type) (\w+)/gm)]
        .map(([, name]) => `${file}: ${name}`)
        .filter((name) => !program.has(name)),
    );
  expect(unused.sort()).toEqual(FOR_TESTS);
  expect(FOR_TESTS.filter((name) => !byTests.has(name))).toEqual([]);
});

test('the name of a type, and of all that is exported, has one meaning', () => {
  // The module of each command exports `run`; of call.ts and warm.ts, which export `openServer`, a fire loads one.
  const shared = ['run', 'openServer'];
  // A client's folder exports under one name what each client has.
  const outside = files.filter(({ file }) => !/^clients\/(?!dialects)[\w-]+\//.test(file));
  const places = new Map<string, Set<string>>();
  const declaration = /^(export )?(?:async |abstract )?(type|interface|class|function|const) (\w+)/gm;
  for (const { file, text } of outside)
    for (const [, exported, kind = '', name = ''] of text.matchAll(declaration))
      if (exported || ['type', 'interface', 'class'].includes(kind))
        places.set(name, (places.get(name) ?? new Set()).add(file));
  const twice = [...places].filter(([name, { size }]) => size > 1 && !shared.includes(name));
  expect(twice.map(([name, at]) => `${name}: ${[...at].join(', ')}`)).toEqual([]);
});

/**
 * Private functions that share a name with an export all the same: those of src/fire, a program of its own, with exports
 * that many files import.
 */
const SHARED_NAMES = [
  'fire/approval/approved-definition.ts: isApproved',
  'fire/programs/joint.ts: textOf',
  'fire/programs/warm.ts: linkTo',
  'fire/tools/tool-state.ts: namesIn',
  'fire/warm/watch.ts: placeOf',
];

test('a private function has no name that another file exports, unless that is one word', () => {
  // A name of one word says what a thing is in its file alone; earlier-hash.ts keeps functions of earlier versions.
  const outside = files.filter(
    ({ file }) =>
      !/^clients\/(?!dialects)[\w-]+\//.test(file) && file !== 'servers/definitions/earlier-hash.ts',
  );
  const named = (pattern: RegExp): string[][] =>
    outside.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([, name = '']) => [file, name]));
  const exported = new Map(
    named(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm).map(([file, name]) => [name, file]),
  );
  const functions = named(
    /^(?:(?:async )?function\*? |const (?=\w+(?:: [^=]+)? =\s+(?:async )?(?:<[^>]*>)?[(\w][^;]*?=>))([a-z]+[A-Z]\w*)/gm,
  );
  const shared = functions.filter(([, name]) => exported.has(name)).map(([file, name]) => `${file}: ${name}`);
  expect(shared.sort()).toEqual(SHARED_NAMES);
});
