import { basename, dirname, isAbsolute, relative } from 'node:path';
import { parse } from 'jsonc-parser';
import { shallow } from '../../base/json-value.ts';
import { isAround, slashed } from '../../base/paths.ts';
import type { Client } from '../../clients/client.ts';
import type { HookFile } from '../../clients/hook-config.ts';
import { ANY_SLUG, existingFiles, filesAt, isHookPath } from '../../clients/hook-files.ts';
import { CLIENTS, placedIn } from '../../clients/index.ts';
import { deepestPosition, position } from '../../declarations/json-text.ts';
import { isGroup, signatureOf } from '../../edit/decide.ts';
import { unclearCommentEnd } from '../../edit/json/json.ts';
import { moduleValue } from '../../edit/module.ts';
import { Fault, orFault, unlessFault } from '../../messages/fault.ts';
import { fileOfEntries, sharesIn } from '../../plan/client/hook-file.ts';
import { parseConfig } from '../../servers/definitions/definition.ts';
import { sharedInvocation, shimOf, shimPath } from '../../shims/entry-owner.ts';
import type { ScopeState } from '../scopes.ts';
import type { MachineView } from '../settings.ts';
import { namesOurs } from './names-ours.ts';
import { searched } from './searched.ts';

/** Files in which an install puts hooks, of all clients. */
export const CLIENT_FILES = CLIENTS.flatMap(({ hooks }) => [...hooks.project, ...hooks.local]);

/**
 * Returns Faults for hooks in a project's client files that name our scripts and aren't entries of an install: our
 * command in another spelling, on another client, or in another of the client's files. Also for hooks of others in a
 * file that is ours alone, and for a program in the place of such a file.
 */
export const otherCommands = (at: ScopeState, view: MachineView): Fault[] =>
  searched(view, (files) => commandsIn(at, view, files));

/** `searchable`: the same files, of which only so much is read. */
function commandsIn(at: ScopeState, view: MachineView, searchable: MachineView): Fault[] {
  const { root = '' } = at.scope;
  return CLIENTS.flatMap((client) => [
    ...placedIn(root, [...client.hooks.project, ...client.hooks.local], ANY_SLUG)
      .flatMap((place) => existingFiles(place, view))
      .flatMap((place) => {
        const { file } = place;
        const commands = commandsOfOurs(place, searchable, (signature) =>
          isRecordedEntry(signature, client, file, at, view),
        );
        if (commands instanceof Fault) return isPlanned(file, client, at) ? [] : [commands];
        const foreign = place.oursAlone
          ? handlersIn(place, searchable).filter(
              (one) => !namesOurs(one) && !isRecordedEntry(one, client, file, at, view),
            )
          : [];
        return [
          ...commands.map((command) => otherCommand(command, file)),
          ...foreign.map(
            (one) => new Fault('project.foreign-hook', { command: onOneLine(one) }, { file }, 2),
          ),
          ...(isUnlistedModule(place, client, at, searchable)
            ? [new Fault('project.unknown-files', { files: [basename(file)] }, { file: dirname(file) }, 2)]
            : []),
        ];
      }),
    ...otherFiles(client, root, view).flatMap((place) => {
      const { file } = place;
      const commands = commandsOfOurs(place, searchable);
      if (commands instanceof Fault) return [commands];
      return commands.map((command) => otherCommand(command, file));
    }),
  ]);
}

/** Returns a Fault about a hook that names our scripts. */
const otherCommand = (signature: string, file: string): Fault => {
  const copied = shimOf(signature) ? { copied: 1 as const } : {};
  return new Fault('project.other-command', { command: onOneLine(signature), ...copied }, { file }, 2);
};

/** Returns a program and its arguments as one line. */
const onOneLine = (signature: string): string => signature.replaceAll('\0', ' ');

/**
 * True for a program by a name of ours that no install wrote. One with entries of ours may be of a server that the lock
 * file has lost, which is reported elsewhere.
 */
const isUnlistedModule = (place: Place, client: Client, at: ScopeState, view: MachineView): boolean =>
  place.format === 'module' &&
  at.reading.damaged === undefined &&
  !isPlanned(place.file, client, at) &&
  !handlersIn(place, view).some(shimOf);

/** True for a file that a server's plan reads, which reports what is wrong with it. */
const isPlanned = (file: string, { id }: Client, { servers }: ScopeState): boolean =>
  servers.some(({ clients }) => clients[id]?.file === file);

type Place = Pick<HookFile, 'unwrapped'> & { format: HookFile['format'] | 'jsonc,'; file: string };

/**
 * Returns files in a folder from which a client reads a project's hooks, and in which no install puts any: those whose
 * path begins with `head`.
 */
export const otherFiles = (
  { hooks: { order = [] } }: Client,
  root: string,
  view: MachineView,
  head = '',
): Place[] =>
  order
    .filter(({ scope, path }) => scope === 'project' && path.startsWith(head))
    .flatMap((place) => filesAt(place, root, view))
    .filter(({ file }) => !CLIENT_FILES.some((place) => isHookPath(slashed(relative(root, file)), place)));

/** Returns the signatures of all handlers in a flat file or a module; of one without a command its text. */
function handlersIn(place: Place, view: MachineView): string[] {
  const lists = Object.values((hooksInPlace(place, view) ?? {}) as object).filter(Array.isArray);
  return lists
    .flat()
    .flatMap((one) => (place.format === 'module' && isGroup(one) ? one.hooks : [one]))
    .map((handler) => signatureOf(handler) ?? JSON.stringify(handler));
}

/**
 * Returns the texts in a file's hooks that name our scripts, without those for which `isEntry` is true; of a program with
 * arguments its signature. Returns a Fault for a file that can't be searched though its client may read it: one that is
 * too large, nested too deeply, or with a comment that ends elsewhere for some programs.
 */
export function commandsOfOurs(
  place: Place,
  view: MachineView,
  isEntry: (signature: string) => boolean = () => false,
): string[] | Fault {
  const found = new Set<string>();
  const hooks = hooksInPlace(place, view);
  if (hooks instanceof Fault) return hooks;
  try {
    collect(hooks, isEntry, found);
  } catch (error) {
    // Levels of prototypes aren't counted before.
    if (error instanceof RangeError) return tooDeep(place);
    throw error;
  }
  return [...found];
}

const tooDeep = ({ file }: Place, text = ''): Fault =>
  new Fault('edit.too-deep', {}, { file, ...deepestPosition(text) }, 2);

function hooksInPlace(place: Place, view: MachineView): unknown {
  const { file, format, unwrapped } = place;
  const bytes = orFault(() => view.read(file));
  if (bytes === null) return undefined;
  if (bytes instanceof Fault)
    return new Fault('plan.unreadable', { reason: String(bytes.args.reason) }, { file }, 2);
  const text = Buffer.from(bytes).toString();
  const unclear = format.startsWith('jsonc') ? unclearCommentEnd(text) : undefined;
  if (unclear)
    return new Fault(
      'edit.unreadable',
      { reason: unclear.reason },
      { file, ...position(text, unclear.offset) },
      2,
    );
  try {
    const hooksOf = (value: unknown): unknown =>
      unwrapped ? value : (value as { hooks?: unknown } | null | undefined)?.hooks;
    if (format === 'module' || file.endsWith('.toml'))
      return hooksOf(format === 'module' ? moduleValue(file, text) : parseConfig(text, file, 'json'));
    // Another program that reads the client's file may go on after a mistake, and find hooks in a prototype.
    return hooksOf(strictValue(text)) ?? shallow(hooksOf(parse(text)));
  } catch (error) {
    if (error instanceof RangeError) return tooDeep(place, text);
    // The client can't read the file either; the plan reports that.
    return undefined;
  }
}

/** Returns the value of strict JSON; undefined for any other text. */
function strictValue(text: string): unknown {
  try {
    return shallow(JSON.parse(text));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

/** True for an entry that the lock file lists, or that this machine may have recorded at local scope. */
function isRecordedEntry(
  signature: string,
  client: Client,
  file: string,
  { scope, reading, servers }: ScopeState,
  view: MachineView,
): boolean {
  const shim = shimOf(signature);
  if (shim?.client !== client.id) return false;
  const local = client.hooks.local.some((place) =>
    isHookPath(slashed(relative(scope.root ?? '', file)), place),
  );
  if (!shim.shared) {
    const path = shimPath(signature) ?? '';
    return local && isAbsolute(path) && !isAround(scope.root ?? '', path);
  }
  if (local) return false;
  const known = servers.find(({ slug }) => slug === shim.slug)?.clients[client.id];
  // A server that is missing in the lock file is reported elsewhere, once.
  if (reading.damaged !== undefined || known === undefined) return true;
  const input = { client, scope, slug: shim.slug, files: view };
  if (!client.hooks.shadows) return fileOfEntries(input, known.file) === file;
  // The lock file names one of several files, and each entry stands where the client reads its event. The plan reports a
  // file that the client can't read.
  return unlessFault(
    () =>
      sharesIn(input, known.entries).some(
        ({ place, entries }) => place.file === file && entries.some(({ key }) => key === shim.key),
      ),
    true,
  );
}

/** Collects every text in a value that names our scripts, except in entries. */
function collect(value: unknown, isEntry: (signature: string) => boolean, found: Set<string>): void {
  if (typeof value === 'string') {
    if (namesOurs(value)) found.add(value);
  } else if (Array.isArray(value)) for (const item of value) collect(item, isEntry, found);
  else if (value !== null && typeof value === 'object') {
    const { command: _c, args, 'x-mcphooks': _m, ...rest } = value as Record<string, unknown>;
    const signature = signatureOf(value);
    const entry = signature !== undefined && isEntry(signature);
    // A program that goes on after a mistake may find values in the prototype.
    collect(Object.getPrototypeOf(value), isEntry, found);
    // A program and its arguments are one command.
    const whole = !entry && Array.isArray(args) && signature !== undefined && namesOurs(signature);
    if (whole) found.add(signature);
    // An entry may name the script again, in a line for another system: in this one only.
    const ours: Readonly<Record<string, unknown>> = { ...(entry && sharedInvocation(signature)) };
    for (const [key, item] of Object.entries(entry || whole ? rest : value))
      if (item !== ours[key]) collect(item, isEntry, found);
  }
}
