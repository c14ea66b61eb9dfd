import { TEMPLATE_VARIABLES } from './types.ts';

/** Template variables beyond SEP-2282, except those with a name in them: `{tool_input.<field>}`, `{tool:<name>}`. */
const OWN_VARIABLES = ['project_dir', 'prompt'] as const;

export const ALL_VARIABLES: readonly string[] = [...TEMPLATE_VARIABLES, ...OWN_VARIABLES];

/** A field of the client's own tool input; dots lead into nested objects. */
const FIELD = '(?:\\.[A-Za-z0-9_-]+)+';
/** Captures the field in `tool_input.<field>`. */
export const INPUT_FIELD = new RegExp(`^tool_input(${FIELD})$`);
const OWN_TOOL = 'tool:[A-Za-z0-9_.-]+';

const anyVariable = (...own: string[]): RegExp =>
  new RegExp(`\\{(${[...ALL_VARIABLES, `tool_input${FIELD}`, ...own].join('|')})\\}`, 'g');

/** Variables filled in when a hook fires; captures the name in the braces. */
export const FIRE_VARIABLE = anyVariable();

/** All template variables, including `{tool:<name>}`, which is filled in when a hook is compiled. */
// Marked as pure, so that the bundle of a fire, which doesn't use it, leaves it out.
export const VARIABLE = /* @__PURE__ */ anyVariable(OWN_TOOL);

/** True when a text has a variable: its value is known only when the hook fires. */
export const hasVariable = (text: string): boolean => text.search(VARIABLE) >= 0;

/**
 * Replaces `{tool:<name>}` in a text by the client's names for the server's own tools; `nameOf` returns such a name. A text
 * stays as it is where a name would make another variable with what stands around it: nobody was asked about that one.
 */
export function withToolNames(text: string, nameOf: (tool: string) => string): string {
  const named = text.replace(new RegExp(`\\{(${OWN_TOOL})\\}`, 'g'), (_, name: string) =>
    nameOf(name.slice('tool:'.length)),
  );
  return filledAtFire(named) === filledAtFire(text) ? named : text;
}

/** Number of variables that are filled in when a hook fires. */
const filledAtFire = (text: string): number => (text.match(FIRE_VARIABLE) ?? []).length;

/** True when a value for a server contains variables with text from a user, a tool or a tool's result (`--send-tool-data`). */
export const holdsUserData = (value: unknown): boolean => userDataIn(value).length > 0;

/** Returns the variables in a value, each once, as they are written there. */
export const variablesIn = (value: unknown): string[] => [
  ...new Set((JSON.stringify(value) ?? '').match(VARIABLE)),
];

/** Returns the variables with such text in the arguments of a hook's tool, each once. */
export const userDataIn = (args: unknown): string[] =>
  variablesIn(args).filter((variable) => /^\{(?:tool_input|tool_output|prompt)/.test(variable));
