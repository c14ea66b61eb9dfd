import { TEMPLATE_VARIABLES } from './types.ts';

/** Template variables beyond SEP-2282, without those that carry a name: `{tool_input.<field>}`, `{tool:<name>}`. */
const OWN_VARIABLES = ['project_dir', 'prompt'] as const;

export const ALL_VARIABLES: readonly string[] = [...TEMPLATE_VARIABLES, ...OWN_VARIABLES];

/** A field of the client's own tool input; a dotted name leads into objects. */
const FIELD = '(?:\\.[A-Za-z0-9_-]+)+';
/** The field in `tool_input.<field>`. */
export const INPUT_FIELD = new RegExp(`^tool_input(${FIELD})$`);
const OWN_TOOL = 'tool:[A-Za-z0-9_.-]+';

/** What is filled in when a hook fires; `name` is what stands in the braces. */
export const FIRE_VARIABLE = new RegExp(`\\{(${ALL_VARIABLES.join('|')}|tool_input${FIELD})\\}`, 'g');

/** Everything that is a template variable, `{tool:<name>}` included, which is filled in when a hook is compiled. */
export const VARIABLE = new RegExp(`\\{(${ALL_VARIABLES.join('|')}|tool_input${FIELD}|${OWN_TOOL})\\}`, 'g');

/** A text with the names by which a client calls the server's own tools; `nameOf` gives such a name. */
export function withToolNames(text: string, nameOf: (tool: string) => string): string {
  return text.replace(new RegExp(`\\{(${OWN_TOOL})\\}`, 'g'), (_, name: string) =>
    nameOf(name.slice('tool:'.length)),
  );
}

/** Whether a value for a server holds what a user, a tool or its result says (`--send-tool-data`). */
export function holdsUserData(value: unknown): boolean {
  return /\{(?:tool_input(?:\.[^{}]+)?|tool_output|prompt)\}/.test(JSON.stringify(value ?? {}));
}
