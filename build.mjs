// Bundles the command line, the library and the runtime of the shims into dist/, and writes THIRD-PARTY:
// what is published depends on nothing. With --if-changed: only when dist/ was built from other sources.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { homeEnv } from './scripts/home-env.mjs';

const root = dirname(fileURLToPath(import.meta.url));
// Built beside dist/ and put in its place at last, so that a program that runs meanwhile keeps its files.
const out = join(root, `dist-${process.pid}`);
const dist = join(root, 'dist');
const stamp = join(dist, '.built-from');
const sources = hashOfSources();
if (process.argv.includes('--if-changed') && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources)
  process.exit();
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.17',
  minify: true,
  legalComments: 'none',
  // jsonc-parser's `main` is a module format that no bundler follows.
  mainFields: ['module', 'main'],
  // Its parser alone: the formatter beside it makes a thousand strings when it is loaded.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/impl/parser.js' },
  define: {
    'process.env.MCPHOOKS_VERSION': JSON.stringify(version),
    'process.env.MCPHOOKS_CATALOGUE': JSON.stringify(JSON.stringify(hashesOfCatalogue())),
  },
  metafile: true,
  logLevel: 'warning',
};

// One file, each module of which runs when it is first needed. As CommonJS: ES modules in chunks take a sixth longer.
const program = {
  ...common,
  outdir: out,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  supported: { 'dynamic-import': false },
};

/** What few commands need, in files of their own beside the program: file, entry point, and how it is imported. */
const APART = [
  ['prompts', '@clack/prompts', /^@clack\/prompts$/],
  ['mcp', 'src/servers/mcp/streamable-http.ts', /\/streamable-http\.ts$/],
  ['schemas', 'src/cli/json/schemas.ts', /\/schemas\.ts$/],
];
const apart = {
  name: 'apart',
  setup: ({ onResolve, onLoad }) => {
    for (const [file, , filter] of APART)
      onResolve({ filter }, () => ({ path: `./${file}.cjs`, external: true }));
    // Commander would load these at every start: the first for commands in executables of their own, which we have none
    // of, the second for what is a global, too.
    const instead = { 'node:child_process': '{}', 'node:process': 'process' };
    onResolve({ filter: /^node:(?:child_)?process$/ }, ({ path, importer }) =>
      /[/\\]commander[/\\]/.test(importer) ? { path, namespace: 'instead' } : undefined,
    );
    onLoad({ filter: /^/, namespace: 'instead' }, ({ path }) => ({
      contents: `module.exports = ${instead[path]}`,
    }));
  },
};

/**
 * Modules of which many commands need nothing: each runs when one of these functions or classes is first used, not when
 * the program starts. A name that is missing here is an error of esbuild.
 */
const ON_USE = {
  'src/declarations/parse.ts': ['parseDeclarations', 'declarationsAndFaults'],
  'src/messages/faults.ts': ['faultText', 'wordings'],
  'src/messages/findings.ts': ['findingWords'],
  diff: ['diffArrays', 'diffChars', 'diffWordsWithSpace', 'structuredPatch'],
  'node:child_process': ['spawn', 'spawnSync'],
  'node:os': ['constants', 'homedir', 'hostname', 'tmpdir'],
  'node:timers/promises': ['setTimeout'],
  'jsonc-parser': ['findNodeAtLocation', 'parse', 'parseTree', 'stripComments'],
  'toml-eslint-parser': ['getStaticTOMLValue', 'ParseError', 'parseTOML'],
  'zod/mini': [
    ...['array', 'boolean', 'enum', 'extend', 'int', 'literal', 'looseObject', 'maximum', 'meta', 'minimum'],
    ...['minLength', 'number', 'omit', 'optional', 'record', 'refine', 'regex', 'strictObject'],
    ...['exactOptional', 'string', 'union', 'unknown', 'never'],
    ...['ZodMiniArray', 'ZodMiniObject', 'ZodMiniOptional', 'ZodMiniRecord'],
  ],
};
const onUse = {
  name: 'on-use',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^/ }, ({ path, importer, resolveDir }) => {
      if (!importer.startsWith(join(root, 'src'))) return undefined;
      const module = path.startsWith('.')
        ? relative(root, join(resolveDir, path)).replaceAll('\\', '/')
        : path;
      return module in ON_USE ? { path: module, namespace: 'on-use' } : undefined;
    });
    onLoad({ filter: /^/, namespace: 'on-use' }, ({ path }) => ({
      contents: `let module;
const used = (name) => (module ??= require('used:${path}'))[name];
const late = (name) =>
  new Proxy(() => {}, {
    apply: (_, self, given) => used(name)(...given),
    get: (_, key) => used(name)[key],
  });
${ON_USE[path].map((name) => `const _${name} = late('${name}');`).join('\n')}
export { ${ON_USE[path].map((name) => `_${name} as ${name}`).join(', ')} };`,
    }));
    onResolve({ filter: /^used:/ }, ({ path }) => ({ path: path.slice(5), namespace: 'used' }));
    onLoad({ filter: /^/, namespace: 'used' }, ({ path }) => ({
      contents: `export { ${ON_USE[path].join(', ')} } from '${path.replace(/^src/, './src')}';`,
      resolveDir: root,
    }));
  },
};

/**
 * Imports the modules of Node that CommonJS packages require. ES modules have no `require`, and one made of
 * `import.meta.url` would fail in a user's CommonJS bundle.
 */
const imported = {
  name: 'imported',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'imported' } : undefined,
    );
    onLoad({ filter: /^/, namespace: 'imported' }, ({ path }) => ({
      contents: `export * from '${path}';`,
    }));
  },
};

/** Entry points of the library, by their files. */
const LIBRARY = { index: 'src/api/index.ts', authoring: 'src/api/hooks.ts' };

const builds = await Promise.all([
  types(),
  build({
    ...program,
    entryPoints: { cli: 'src/bin/process.ts' },
    plugins: [apart, onUse],
    logOverride: { 'import-is-undefined': 'error' },
    define: { ...common.define, 'import.meta': '__meta' },
    // The function around a CommonJS module, as node would add it: putting a program together at each start takes time.
    banner: {
      js: '(function (exports, require, module, __filename, __dirname) { const __meta = { dirname: __dirname };',
    },
    footer: { js: '})' },
  }),
  build({
    ...program,
    entryPoints: Object.fromEntries(APART),
  }),
  build({
    ...program,
    entryPoints: { mcphooks: 'src/bin/main.ts' },
  }),
  build({
    ...common,
    entryPoints: LIBRARY,
    // Errors of it show lines of it.
    minify: false,
    outdir: out,
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [imported],
  }),
  build({
    ...common,
    entryPoints: {
      start: 'src/fire/programs/start.ts',
      fire: 'src/fire/programs/fire.ts',
      conditions: 'src/fire/programs/conditions.ts',
      call: 'src/fire/programs/call.ts',
      keep: 'src/fire/programs/keep.ts',
      joint: 'src/fire/programs/joint.ts',
      warm: 'src/fire/programs/warm.ts',
      'warm-keeper': 'src/fire/programs/warm-keeper.ts',
    },
    outdir: join(out, 'runtime'),
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
  }),
  sourcesForTests(),
]);
await writeSchemas();
rmSync(dist, { recursive: true, force: true });
renameSync(out, dist);
// The program takes its runtime from there.
await writeCodeCache();
writeFileSync(
  join(root, 'THIRD-PARTY'),
  thirdParty(builds.flatMap((b) => Object.keys(b?.metafile.inputs ?? {}))),
);
writeFileSync(stamp, sources);

/** Of all that decides what is built; the code cache is of one version of Node. */
function hashOfSources() {
  const folders = ['src', 'templates', 'examples', 'catalogue'].flatMap((folder) =>
    filesIn(join(root, folder))
      .map((file) => relative(root, file))
      .sort(),
  );
  const hash = createHash('sha256').update(process.version);
  for (const file of [...folders, 'build.mjs', 'tsconfig.types.json', 'package.json', 'package-lock.json'])
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Of each file of the catalogue, so that an altered one is noticed. */
function hashesOfCatalogue() {
  const folder = join(root, 'catalogue');
  const hash = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');
  const files = filesIn(folder).sort();
  return Object.fromEntries(files.map((file) => [relative(folder, file).replaceAll('\\', '/'), hash(file)]));
}

/**
 * For the tests (vitest.config.ts): all source files in one program, each of which runs when a test first needs it, and a
 * file for each of them to import. Vitest would compile them one by one at each run, and load them in each worker.
 */
async function sourcesForTests() {
  const files = filesIn(join(root, 'src'))
    .filter((file) => /(?<!\.d)\.ts$/.test(file))
    .map((file) => relative(root, file).replaceAll('\\', '/'));
  await build({
    ...common,
    format: 'cjs',
    minify: false,
    sourcemap: true,
    define: { 'import.meta': '__meta' },
    banner: { js: 'const __meta = { dirname: __dirname };' },
    stdin: {
      contents: `module.exports = {${files.map((file) => `'${file}': () => require('./${file}')`)}}`,
      resolveDir: root,
    },
    outfile: join(out, 'sources.cjs'),
  });
  for (const file of files) {
    const path = join(out, file.replace(/^src(.*)ts$/, 'sources$1cjs'));
    const up = relative(dirname(path), out).replaceAll('\\', '/');
    mkdirSync(dirname(path), { recursive: true });
    // Not in one statement: Node would parse the program for each file, to find names that this one passes on.
    writeFileSync(path, `const all = require('${up}/sources.cjs');\nmodule.exports = all['${file}']();\n`);
  }
}

/** Type declarations of the library: those that its entry points lead to, since tsc writes those of every file. */
async function types() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, '-p', join(root, 'tsconfig.types.json'), '--noCheck', '--outDir', join(out, 'types')];
  await promisify(execFile)(process.execPath, args);
  const all = filesIn(join(out, 'types'));
  const used = new Set();
  const use = (file) => {
    if (used.has(file) || !all.includes(file)) return;
    used.add(file);
    for (const [, to] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g))
      use(join(dirname(file), `${to}.d.ts`));
  };
  for (const entry of Object.values(LIBRARY))
    use(join(out, 'types', relative('src', entry).replace(/\.ts$/, '.d.ts')));
  for (const file of all) if (!used.has(file)) rmSync(file);
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** The published schemas as files, for editors. */
async function writeSchemas() {
  const { jsonSchema, SCHEMA_NAMES } = await import(pathToFileURL(join(out, 'index.js')));
  mkdirSync(join(out, 'schemas'));
  for (const name of SCHEMA_NAMES) {
    const text = `${JSON.stringify(jsonSchema(name), null, 2)}\n`;
    writeFileSync(join(out, 'schemas', `${name}.json`), text);
  }
}

/** V8's compiled form of the program, with the functions that these commands need: see src/bin/code-cache.ts. */
async function writeCodeCache() {
  const { CLIENT_IDS } = await import(pathToFileURL(join(dist, 'index.js')));
  const home = mkdtempSync(join(tmpdir(), 'mcphooks-build-'));
  const from = [
    '--declarations',
    join(root, 'examples/declarations.json'),
    '--no-check',
    '--client',
    CLIENT_IDS.join(','),
  ];
  await build({ ...program, outdir: dist, entryPoints: { cache: 'src/bin/make-code-cache.ts' } });
  try {
    for (const command of [
      ['install', 'one', ...from, '--yes'],
      ['install', 'two', ...from, '--yes'],
      ['install', 'three', ...from, '--dry-run'],
      ['diff', '--offline'],
    ])
      await promisify(execFile)(process.execPath, [join(dist, 'cache.cjs'), ...command], {
        cwd: home,
        env: { PATH: process.env.PATH, ...homeEnv(home) },
      }).catch((error) => {
        // A plan with changes ends with 2.
        if (error.code !== 2)
          throw new Error(`mcphooks ${command[0]} failed:\n${String(error.stderr).slice(-1000)}`);
      });
  } finally {
    rmSync(home, { recursive: true });
    rmSync(join(dist, 'cache.cjs'));
  }
}

/** The licence of every package whose code went into the bundles. */
function thirdParty(inputs) {
  const folders = new Set(
    inputs.flatMap(
      (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(relative(root, join(root, file)))?.[1] ?? [],
    ),
  );
  const notices = [...folders].sort().map((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const name = readdirSync(join(root, folder)).find((f) => /^licen[cs]e/i.test(f));
    const text =
      name && existsSync(join(root, folder, name)) ? readFileSync(join(root, folder, name), 'utf8') : '';
    return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text.trim()}\n`;
  });
  return `mcphooks contains code of these packages.\n\n${notices.join(`\n${'-'.repeat(72)}\n\n`)}`;
}
