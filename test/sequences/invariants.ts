import { expect } from 'vitest';
import { checkOutput } from '../cli/json-schemas.ts';
import type { Ended } from '../cli/world.ts';
import { command, foldersOf, isOwn, type Model, textAt } from './model.ts';
import { type Install, installWords } from './steps.ts';
import { contentOf } from './user-files.ts';

interface Plan {
  files: { path: string; change: string }[];
}
interface Document {
  exit: number;
  status: string;
  faults: { code: string }[];
  plan?: Plan;
  servers?: ServerState[];
  findings?: Finding[];
  remarks?: Finding[];
}
interface Finding {
  code: string;
  client?: string;
}
interface ServerState {
  server: string;
  scope: string;
  since?: string;
  findings: Finding[];
  clients: ClientState[];
}
interface ClientState {
  client: string;
  state: string;
  findings: Finding[];
}

const EXITS: Record<string, readonly number[]> = {
  install: [0, 1, 2, 3, 4],
  diff: [0, 1, 2, 3, 4],
  list: [0, 1, 2],
  doctor: [0, 1],
  explain: [0, 1, 3, 4],
};

/** What no output contains, except lines of a program in a diff: forgotten values and stack traces. */
const UNFIT = /^(?! *"?[+-] ).*(\bundefined\b|\[object |\bNaN\b|internal\.error|^ +at .*\.c?js:).*/m;

/** Fails unless the exit code is one of the command's, and the output has nothing of `UNFIT`. */
function checkEnded(words: readonly string[], { code, stdout, stderr }: Ended): void {
  const [name = ''] = words;
  expect(EXITS[name] ?? [0, 1], `exit code of ${words.join(' ')}: ${stderr}`).toContain(code);
  expect(UNFIT.exec(stdout + stderr)?.[0], words.join(' ')).toBeUndefined();
  if (code !== 0) expect(stdout + stderr, words.join(' ')).not.toBe('');
}

/** Paths of files that are not as they were. */
function changedSince({ world }: Model, before: Record<string, string>): string[] {
  const after = world.files();
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]);
}

/** Runs a command with --json, and checks its document. */
export async function documented(model: Model, folder: string, ...words: string[]): Promise<Document> {
  const ended = await command(model, folder, ...words, '--json');
  checkEnded(words, ended);
  const document = JSON.parse(ended.stdout);
  expect(checkOutput(words[0] ?? '', document), words.join(' ')).toBeUndefined();
  expect(document.exit, words.join(' ')).toBe(ended.code);
  const last = model.told.length - 1;
  if (document.faults.length > 0)
    model.told[last] += ` ${document.faults.map((f: { code: string }) => f.code)}`;
  return document;
}

/** The same for a command that only reads: it may write nothing. */
export async function reading(model: Model, folder: string, ...words: string[]): Promise<Document> {
  const before = model.world.files();
  const document = await documented(model, folder, ...words);
  expect(changedSince(model, before), `files that ${words.join(' ')} wrote`).toEqual([]);
  return document;
}

/** True for a file of the runtime, which any command removes without naming it when nothing needs it. */
const isTidied = (path: string): boolean => path.includes('/mcphooks/runtime/');

/** Code caches differ from run to run, and no plan names them. */
const announced = (paths: readonly string[]): string[] =>
  paths.filter((path) => !path.endsWith('.cache')).sort();

/** Installs as a script does, and checks that dry run, diff and install agree, and that a second one has nothing to do. */
export async function installChecked(model: Model, step: Install): Promise<void> {
  const { folder, scope, server } = step;
  const words = installWords(step, model);
  const scoped = scope === 'project' ? ['--scope', scope] : ['--scope', 'user'];
  const dry = await reading(model, folder, 'install', ...words, '--dry-run', '--accept-changed');
  const before = model.world.files();
  const done = await documented(model, folder, 'install', ...words, '--yes', '--accept-changed');
  const changed = changedSince(model, before);
  if (done.exit !== 0) {
    expect(dry.exit, 'exit of the dry run').toBe(done.exit);
    expect(changed, 'what a refused install wrote').toEqual([]);
    return;
  }
  const after = model.world.files();
  const base = model.world.home.slice(0, -'home'.length);
  const planned = dry.plan?.files
    .filter(({ change }) => change !== 'none')
    .map(({ path }) => path.replace(base, ''));
  expect(announced(changed), 'files that an install wrote').toEqual(announced(planned ?? []));
  expect(dry.exit, 'exit of the dry run').toBe(changed.length > 0 ? 2 : 0);
  const again = await documented(
    model,
    folder,
    'install',
    ...words.filter((word) => word !== '--reset'),
    '--yes',
  );
  expect(again.exit, 'exit of a second install').toBe(0);
  expect(
    changedSince(model, after).filter((path) => !isTidied(path)),
    'files that a second install wrote',
  ).toEqual([]);
  const diff = await reading(model, folder, 'diff', server, ...scoped);
  // A server that has another name now is to be installed under that; entries that no record knows may be adopted.
  if (!model.renamed && diff.faults.every(({ code }) => code !== 'record.unlisted'))
    expect(diff.exit, 'exit of diff').toBe(0);
}

/** doctor tells once what applies to all servers of a client. */
const key = ({ code, client }: Finding): string => `${code} ${client ?? ''}`;

/** As `diff` sees it: that a client reads another checkout's file in a worktree is no difference of this one. */
const isDifferent = ({ state, findings }: ClientState): boolean =>
  ['changed', 'edited', 'missing'].includes(state) &&
  findings.every(({ code }) => code !== 'doctor.main-worktree');

/** Fails unless list, doctor, diff and explain agree. */
export async function checkAgreement(model: Model, folder: string): Promise<void> {
  const list = await reading(model, folder, 'list');
  const doctor = await reading(model, folder, 'doctor');
  const known = new Set([...(doctor.findings ?? []), ...(doctor.remarks ?? [])].map(key));
  for (const { findings, clients } of list.servers ?? [])
    for (const finding of [...findings, ...clients.flatMap((client) => client.findings)])
      expect(known, 'findings of doctor').toContain(key(finding));
  for (const scope of ['user', 'project']) {
    const servers = (list.servers ?? []).filter((server) => server.scope === scope);
    if (servers.length === 0) continue;
    const differing = servers.some(({ clients }) => clients.some(isDifferent));
    const diff = await reading(model, folder, 'diff', '--offline', '--scope', scope);
    expect([0, 2], 'exit of diff').toContain(diff.exit);
    if (diff.exit === 0)
      expect(differing, `list differs at scope ${scope}: ${JSON.stringify(servers)}`).toBe(false);
    else expect(differing, `diff differs at scope ${scope}`).toBe(true);
    // What no record knows, `explain` asks the server; and a choice of hooks may leave none.
    for (const { server, clients } of servers.filter(({ since, clients }) => since && clients.length > 0)) {
      const told = await reading(model, folder, 'explain', server, '--scope', scope);
      expect(told.exit, `exit of explain ${server}`).toBe(0);
      expect(JSON.stringify(told), 'clients of explain').toContain(clients[0]?.client);
    }
  }
}

/** Uninstalls all in all scopes and checks what is left. */
export async function uninstallChecked(model: Model): Promise<void> {
  for (const [folder, scope] of [
    ['project', 'project'],
    ['tree', 'project'],
    ['project', 'user'],
  ] as const) {
    const { exit } = await documented(model, folder, 'uninstall', '--all', '--edited', '--scope', scope);
    expect(exit, 'exit of uninstall').toBe(0);
  }
  const left = Object.keys(model.world.files());
  expect(left.filter(isOwn), 'own files that are left').toEqual([]);
  for (const [path, theirs] of model.theirs) {
    const now = textAt(model, path);
    expect(contentOf(path, now), path).toEqual(contentOf(path, theirs));
    if (!model.loose.has(path)) expect(now, path).toBe(theirs);
  }
  const others = left.filter(
    (path) =>
      !model.theirs.has(path) &&
      /^(home|project|tree)\/\./.test(path) &&
      !/\.git(\/|$)|\.claude\.json$/.test(path),
  );
  expect(others, 'other files that are left').toEqual([]);
  if (model.loose.size === 0)
    expect(
      foldersOf(model.world).filter((path) => !model.folders.includes(path)),
      'folders that are left',
    ).toEqual([]);
}
