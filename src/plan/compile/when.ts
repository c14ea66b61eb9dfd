import { fitsGlob } from '../../base/glob.ts';
import type { Client } from '../../clients/client.ts';
import { type OutcomeRule, outcomeOfEvent, sourcesAt, sourcesTold } from '../../clients/conditions.ts';
import { CLIENTS } from '../../clients/index.ts';
import { type Wiring, wiringOf } from '../../clients/protocol.ts';
import { canonicalNames, mcpToolName, nativeNames, spelledGlob, toolPrefix } from '../../clients/tools.ts';
import type { Declaration } from '../../declarations/types.ts';
import type { Outcome, When } from '../../declarations/when.ts';
import type { FireConditions, FireHook } from '../../fire/format.ts';
import type { Note } from '../../messages/notes.ts';
import { type CompiledMatcher, compileMatcher, never, unique } from './matcher.ts';
import { pathGlobs } from './path-globs.ts';
import type { OptionalField } from './payload-shape.ts';
import type { ServerNames } from './server-tools.ts';
import { compileTools, narrowed } from './tools.ts';

/** A declaration's matcher and conditions, compiled for one client. */
export interface CompiledWhen extends CompiledMatcher {
  /** Conditions to test when the hook fires. */
  when?: FireConditions;
  /** Fields that the conditions need of payloads. */
  neededFields: OptionalField[];
  /** True when a native event can fulfil the conditions: an event may fire for one outcome only. */
  carries: (native: string) => boolean;
  /** Steps that record calls of the server's own tools (`unless_called`), for each native tool event. */
  notesCalls?: { hook: Pick<FireHook, 'match' | 'muteMs'>; native: CompiledMatcher['native'] };
  notes: Note[];
}

/** Compiles `matcher` and `when` of a declaration for one client; `never`: why the client can't support them. Pure. */
export function compileWhen(declaration: Declaration, client: Client, servers: ServerNames): CompiledWhen {
  const { when = {} } = declaration;
  const compiled: CompiledWhen = {
    neededFields: [],
    carries: () => true,
    notes: [],
    ...matcherOf(declaration, client, servers),
  };
  if (!compiled.never && !when.tools) compiled.notes.push(...sharedToolNotes(declaration, client));
  const tests: FireConditions = {};
  for (const part of PARTS) {
    if (compiled.never) return compiled;
    Object.assign(compiled, part({ when, client, servers, declaration, compiled, tests }));
  }
  if (Object.keys(tests).length > 0) compiled.when = tests;
  if (compiled.match?.search) compiled.neededFields.push('shell');
  return compiled;
}

/** Returns the remark that a client has one tool for what a matcher names and for something else. */
function sharedToolNotes({ matcher }: Declaration, { tools }: Client): Note[] {
  if (matcher?.tool_name === undefined || matcher.tool_server !== undefined) return [];
  const { tool_name: name } = matcher;
  const shared = nativeNames(tools, name).filter((native) => canonicalNames(tools, native).length > 1);
  const others = unique(shared.flatMap((native) => canonicalNames(tools, native))).filter(
    (other) => other !== name && !isSameEverywhere(name, other),
  );
  return others.length === 0 ? [] : [{ code: 'tools.shared', args: { names: others, tools: shared } }];
}

/** True for two names of one tool, such as that of an earlier version and today's. */
const isSameEverywhere = (one: string, other: string): boolean =>
  CLIENTS.every(({ tools }) => nativesIn(tools, one) === nativesIn(tools, other));

const nativesIn = (tools: Client['tools'], name: string): string =>
  [...nativeNames(tools, name)].sort().join();

function matcherOf({ matcher, when }: Declaration, client: Client, servers: ServerNames): CompiledMatcher {
  return when?.tools
    ? compileTools(when.tools, matcher, client, servers)
    : compileMatcher(matcher, client, servers);
}

interface ConditionPart {
  when: When;
  client: Client;
  servers: ServerNames;
  declaration: Declaration;
  compiled: CompiledWhen;
  tests: FireConditions;
}

type CompilePart = (part: ConditionPart) => Partial<CompiledWhen> | undefined;

const files: CompilePart = ({ when, tests }) => {
  if (when.files) tests.files = when.files;
  return undefined;
};

/** Compiles `when.command`, which only tools that run a shell command can fulfil. */
const command: CompilePart = ({ when, client, compiled, tests }) => {
  if (!when.command) return undefined;
  const shell = Object.keys(client.conditions.shell);
  const narrow = narrowed(compiled, shell, client);
  if (!narrow) return never('when.no-shell');
  tests.command = when.command;
  compiled.neededFields.push('shell');
  return narrow;
};

const path: CompilePart = ({ when, client, compiled, tests }) => {
  if (!when.path) return undefined;
  const narrow = narrowed(compiled, Object.keys(client.conditions.files), client, true);
  if (!narrow) return never('when.no-file');
  tests.paths = pathGlobs(when.path);
  compiled.neededFields.push('files');
  return narrow;
};

const source: CompilePart = ({ when, client, compiled, tests }) => {
  const wanted = typeof when.source === 'string' ? [when.source] : when.source;
  if (!wanted) return undefined;
  const told = sourcesTold(client.conditions);
  const untold = wanted.filter((one) => !told.includes(one));
  const args = { sources: untold.join(', ') };
  if (untold.length === wanted.length) return never('when.no-source', args);
  if (untold.length > 0) compiled.notes.push({ code: 'when.source-some', args });
  if ('always' in client.conditions.source) return undefined;
  tests.source = [...wanted];
  compiled.neededFields.push('source');
  return {
    carries: (native) =>
      sourcesAt(client.conditions, native)?.some((source) => wanted.includes(source)) ?? true,
  };
};

/** Notes that a client starts no hook after a call that failed, where the declaration asks for either outcome. */
const failures: CompilePart = ({ when, client, declaration, compiled }) => {
  if (declaration.event !== 'post_tool_use' || when.outcome) return undefined;
  const rules = toolNatives(client).map((native) => client.conditions.outcome[native]);
  if (rules.every((rule) => tells(rule, compiled.native, 'failure') === 'never'))
    compiled.notes.push({ code: 'never.after-failure', args: {} });
  return undefined;
};

const outcome: CompilePart = ({ when, client, compiled, tests }) => {
  const wanted = when.outcome;
  if (!wanted) return undefined;
  const rules = client.conditions.outcome;
  const other: Outcome = wanted === 'success' ? 'failure' : 'success';
  const isEither = (rule: OutcomeRule | undefined): boolean =>
    when.if_unknown !== undefined && typeof rule === 'object' && 'is' in rule;
  const carries = (native: string): boolean =>
    outcomeOfEvent(rules[native]) !== other || isEither(rules[native]);
  const left = toolNatives(client).filter(carries);
  if (left.length === 0) return never(`when.no-${wanted}`);
  const telling = left.map((native) => tells(rules[native], compiled.native, wanted));
  if (telling.every((one) => one === 'never')) return never(`when.no-${wanted}`);
  if (!telling.includes('some') && !telling.includes('all')) {
    if (!when.if_unknown) return never('when.outcome-untold');
    compiled.notes.push({ code: 'when.outcome-either', args: {} });
  } else if (telling.includes('some') && !when.if_unknown)
    compiled.notes.push({ code: 'when.outcome-some', args: {} });
  // A native event that fires for one outcome only leaves nothing to test.
  if (left.some((native) => typeof rules[native] === 'object')) {
    tests.outcome = wanted;
    if (when.if_unknown) tests.ifUnknown = true;
    compiled.neededFields.push('outcome');
  }
  return { carries };
};

/**
 * Returns for how many of the matched tools an event's payloads contain the outcome; `never`: the event fires for none
 * that came out so.
 */
function tells(
  rule: OutcomeRule | undefined,
  native: CompiledMatcher['native'],
  wanted: Outcome,
): 'all' | 'some' | 'none' | 'never' {
  if (typeof rule !== 'object' || 'is' in rule) return rule ? 'all' : 'none';
  const untold = rule.signs.flatMap(({ tools, path }) => (path === undefined && tools ? tools : []));
  const isMatched = (name: string): boolean =>
    !native || native.exact.includes(name) || native.patterns.some((source) => new RegExp(source).test(name));
  const isTold = !untold.some(isMatched);
  if (rule.onlySuccess && wanted === 'failure') return isTold ? 'never' : 'none';
  if (isTold) return 'all';
  const others = !native || native.patterns.length > 0 || native.exact.some((name) => !untold.includes(name));
  return others ? 'some' : 'none';
}

const unlessCalled: CompilePart = ({ when, client, servers, tests }) => {
  const { unless_called: unless } = when;
  if (!unless) return undefined;
  const serverTools = unless.tools.map((tool) => `mcp__${servers.alias}__${tool}`);
  const { match, native, never: reason } = compileTools(serverTools, undefined, client, servers);
  if (reason) return { never: reason };
  const tools = ownNames(unless.tools, client, servers);
  tests.unlessCalled = true;
  const muteMs = unless.within === undefined ? null : unless.within * 1000;
  return { notesCalls: { hook: { match: { ...match, ...(tools && { tools }) }, muteMs }, native } };
};

/**
 * Returns native names, with at most a `*` at the end, of the server's own tools that fit globs; undefined: the globs
 * have no such form, or tools of another server have such names, too.
 */
function ownNames(globs: readonly string[], client: Client, servers: ServerNames): string[] | undefined {
  const { alias, known, ownTools } = servers;
  const { tools } = client;
  // Where names don't tell the server, only the server's list of tools does.
  if (ownTools)
    return ownTools
      .filter((tool) => globs.some((glob) => fitsGlob(glob, tool)))
      .map((tool) => mcpToolName(tools.mcp, alias, tool));
  const [own, ...heads] = [alias, ...known].map((name) => toolPrefix(tools.mcp, name));
  const others = heads.filter((head) => head.length > (own?.length ?? 0));
  // `notes-*` is also what names of the server `notes-work` begin with.
  const isShared = (name: string): boolean => {
    const fixed = name.replace(/\*$/, '');
    return others.some((head) => fixed.startsWith(head) || (fixed !== name && head.startsWith(fixed)));
  };
  const names = globs.flatMap((glob) => nativePrefix(alias, glob, client) ?? []);
  return names.length < globs.length || names.some(isShared) ? undefined : names;
}

/**
 * Writes a glob on the server's own tools as a native name with at most a `*` at its end; undefined: the glob has no
 * such form.
 */
function nativePrefix(alias: string, glob: string, client: Client): string | undefined {
  const fixed = glob.replace(/\*+$/, '');
  if (/[*?]/.test(fixed)) return undefined;
  const { mcp } = client.tools;
  if (fixed === glob) return mcpToolName(mcp, alias, fixed);
  const name = `${toolPrefix(mcp, alias)}${spelledGlob(mcp, fixed)}`;
  // The client cuts the end off long names, or the middle out of them: then a prefix is safe only within the first half.
  const { maxLength = Number.POSITIVE_INFINITY, keeps = maxLength / 2 - 2 } = mcp;
  return name.length < keeps ? `${name}*` : undefined;
}

const PARTS: readonly CompilePart[] = [files, command, path, source, failures, outcome, unlessCalled];

/**
 * Milliseconds in which a hook gives no text after it fired; null: for the rest of the session. The longer of the declared
 * cooldown and the option counts.
 */
export function cooldownOf({ when }: Declaration, option: number): number | null | undefined {
  const declared = when?.cooldown ?? 0;
  if (declared === 'session') return null;
  const seconds = Math.max(declared, option);
  return seconds > 0 ? seconds * 1000 : undefined;
}

/** Returns the native events that report a call of a tool. */
export function toolNatives({ events }: Client): string[] {
  return unique(
    wiringOf(events.post_tool_use)
      .filter(({ does }) => does === 'emit')
      .map(({ native }) => native),
  );
}

/** Returns the steps of a wiring whose native events can fulfil a declaration's conditions. */
export function wiringFor(
  wiring: readonly Wiring[],
  { carries }: Pick<CompiledWhen, 'carries'>,
): readonly Wiring[] {
  const left = wiring.filter(({ does, native }) => (does !== 'emit' && does !== 'defer') || carries(native));
  const keeps = ({ does }: Wiring): boolean => does === 'defer';
  const gone = wiring.some(keeps) && !left.some(keeps);
  return gone ? left.filter(({ does }) => does !== 'emit-deferred') : left;
}
