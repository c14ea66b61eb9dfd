import { isObject } from '../base/json-value.ts';
import { nearArg } from '../base/near.ts';
import type { Path } from '../declarations/path.ts';
import type { Declaration } from '../declarations/types.ts';
import { USUAL_FIELDS } from '../fire/when/touched-files.ts';
import { listsTool } from '../plan/compile/tool-names.ts';
import type { ServerTool } from '../servers/types.ts';
import { ownToolsMatched } from './matcher-rules.ts';
import type { LintRule, Subject } from './types.ts';

/** Participles of what a tool does. */
const DONE_BY_TOOL =
  '(?:committed|pushed|merged|deployed|published|installed|created|deleted|edited|updated|saved|written|fetched|finished)';
const PARTICIPLE = '(?:[a-z]+[^\\We]ed|built|sent|kept|made|done|written|taken)';
const SENTENCE = '(?:^|[.!?:]\\s+)';

/** Matches texts that report something as done: "you just committed", "Committed in shop.", "the file was saved". */
const DONE = new RegExp(
  [
    `\\b(?:you've|(?:you )?(?:has|have|had|was|were|been|just|successfully))(?: just| now| been)* ${PARTICIPLE}\\b`,
    '\\b[a-z]+ed successfully\\b',
    '\\b(?:succeeded|landed|went (?:through|well|fine)|is done)\\b',
    '\\bnow that\\b',
    `\\bsince (?:(?:the|your) )?[a-z]+ (?:${DONE_BY_TOOL}|pass(?:es|ed)?|succeeded|worked|went)\\b`,
    '(?:^|[.!?:,]\\s+)(?:(?:the|your|all) )?[a-z]+ (?:is|are) green\\b',
    `${SENTENCE}you ${DONE_BY_TOOL}\\b`,
    `${SENTENCE}${DONE_BY_TOOL}(?=[.,:;!]| (?:in|to|as|by|from)\\b)`,
  ].join('|'),
  'gi',
);
/** Matches texts with a condition, which are true for either outcome. */
const IF = /\b(?:if|when|whether|unless|in case|should|once)\b/i;

/** Matches the start of a clause that asks for something, as in "keep what was learned". */
const ASKED_FOR = /\b(?:what|which(?: \w+){0,2})\s+$/i;

/** By remark on a client, the condition that the client can't tell. */
const CONDITION: Readonly<Record<string, string>> = {
  'when.no-shell': 'command',
  'when.no-file': 'path',
  'when.no-source': 'source',
  'when.no-success': 'outcome',
  'when.no-failure': 'outcome',
  'when.outcome-untold': 'outcome',
};

/**
 * Returns the conditions that clients can't tell, the clients that support a declaration's conditions, those that don't,
 * and whether `if_unknown` would help.
 */
function untold({ when }: Declaration, subject: Subject, i: number) {
  const reasons = ({ cells }: Subject['clients'][number]): string[] =>
    cells[i]?.fidelity === 'unsupported'
      ? cells[i].notes
          .map(({ code }) => code)
          .filter((code) => code.startsWith('when.') || (when?.tools && code.startsWith('never.')))
          // lint.not-a-glob says that.
          .filter((code) => code !== 'never.not-a-glob')
      : [];
  const titles = (some: Subject['clients']): string[] => some.map(({ client }) => client.title);
  const others = subject.clients.filter((client) => reasons(client).length > 0);
  return {
    keys: [...new Set(others.flatMap(reasons).map((code) => CONDITION[code] ?? 'tools'))],
    clients: titles(subject.clients.filter((client) => !others.includes(client))),
    others: titles(others),
    either: others.flatMap(reasons).includes('when.outcome-untold') ? 1 : 0,
  };
}

/** Returns the names of the server's own tools in texts and conditions, with their paths. */
function ownTools({ context, context_tool_args: args, when }: Declaration): [Path, string][] {
  const named = (path: Path, text: string): [Path, string][] =>
    [...text.matchAll(/\{tool:([A-Za-z0-9_.-]+)\}/g)].map(([, name = '']) => [path, name]);
  const listed = (when?.unless_called?.tools ?? []).map((name, i): [Path, string] => [
    ['when', 'unless_called', 'tools', i],
    name,
  ]);
  return [
    ...named(['context'], context ?? ''),
    ...named(['context_tool_args'], JSON.stringify(args ?? {})),
    ...listed,
  ];
}

/** Keys of a schema by which a tool may have arguments that its properties don't list. */
const MORE_ARGUMENTS = ['patternProperties', 'oneOf', 'anyOf', 'allOf', 'if', '$ref'];

/** True when a tool's schema lists its arguments, and none of them names a file (`when.path`). */
function lacksPath({ inputSchema }: ServerTool): boolean {
  if (!isObject(inputSchema) || !isObject(inputSchema.properties)) return false;
  const { properties, additionalProperties: others = false } = inputSchema;
  const listsAll = others === false && !MORE_ARGUMENTS.some((key) => Object.hasOwn(inputSchema, key));
  return listsAll && !USUAL_FIELDS.paths.some((field) => Object.hasOwn(properties, field));
}

/** Rules about conditions (`when`), and about hooks that lack one. */
export const WHEN_LINT_RULES: readonly LintRule[] = [
  {
    code: 'lint.untrue-when-failed',
    find: ({ event, context = '', when }) => {
      const tellsOutcome = when?.outcome !== undefined && !when.if_unknown;
      if (event !== 'post_tool_use' || tellsOutcome) return [];
      const done = [...context.matchAll(DONE)].find(({ index }) => !ASKED_FOR.test(context.slice(0, index)));
      return !done || IF.test(context.slice(0, done.index))
        ? []
        : [{ at: ['context'], args: { words: done[0] } }];
    },
  },
  {
    code: 'lint.when-some',
    find: (declaration, subject, i) => {
      const args = untold(declaration, subject, i);
      return args.others.length > 0 ? [{ at: ['when'], args }] : [];
    },
  },
  {
    code: 'lint.path-never',
    find: (declaration, subject) => {
      const { when } = declaration;
      if (!when?.path) return [];
      const matched = ownToolsMatched(declaration, subject).map(([, name]) =>
        subject.tools?.find((tool) => tool.name === name),
      );
      const lacks = matched.filter((tool) => tool && lacksPath(tool));
      // Other tools that it names may have one.
      if (lacks.length < (when.tools?.length ?? 1)) return [];
      return [{ at: ['when', 'path'], args: { tools: lacks.map((tool) => tool?.name ?? '') } }];
    },
  },
  {
    code: 'lint.own-tool-unknown',
    find: (declaration, subject) => {
      const known = subject.tools?.map(({ name }) => name);
      if (!known) return [];
      return [...ownTools(declaration), ...ownToolsMatched(declaration, subject)]
        .filter(([, name]) => !listsTool(known, name))
        .map(([at, name]) => ({ at, args: { name, known, ...nearArg(name, known) } }));
    },
  },
];
