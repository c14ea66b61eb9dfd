import { at, type Payload, textAt } from './payload.ts';
import { sanitise } from './sanitise.ts';
import type { Values } from './template.ts';
import type { FireHook, PayloadShape } from './types.ts';

/** Most UTF-16 units of a tool's input or output that a template inserts. */
const LARGEST_VALUE = 8_000;

/** What is the same for all hooks of one fire. */
export interface Facts {
  project: string;
  session?: string;
  /** Compact JSON. */
  input?: string;
  output?: string;
}

export function factsOf(payload: Payload, shape: PayloadShape, project: string): Facts {
  const session = textAt(payload, shape.session);
  const input = serialised(at(payload, shape.toolInput));
  const given = at(payload, shape.toolOutput);
  const output = shape.outputIsText
    ? partsText(given)
    : typeof given === 'string'
      ? given
      : serialised(given);
  return {
    project,
    ...(session !== undefined && { session }),
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
  };
}

function serialised(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

/** A tool's result as text parts: a string, or a list of `{ text }` (Gemini CLI 0.61.0). */
function partsText(given: unknown): string | undefined {
  if (given === undefined || typeof given === 'string') return given;
  const parts = Array.isArray(given) ? given : [given];
  return parts.map((part) => at(part, 'text') ?? JSON.stringify(part)).join('\n');
}

/**
 * The template variables of SEP-2282 that a hook may use: the tool's for tool events only, its output for
 * post_tool_use only. `odd` is told of what was taken out of a value.
 */
export function valuesFor(
  hook: FireHook,
  toolName: string,
  facts: Facts,
  odd: (incident: 'text.sanitised' | 'value.cut', detail: string) => void,
): Values {
  const onTools = hook.event === 'pre_tool_use' || hook.event === 'post_tool_use';
  const values: Values = { project_name: facts.project };
  if (facts.session !== undefined) values.session_id = facts.session;
  if (onTools && toolName) values.tool_name = toolName;
  if (onTools && facts.input !== undefined) values.tool_input = facts.input;
  if (hook.event === 'post_tool_use' && facts.output !== undefined) values.tool_output = facts.output;
  for (const [name, value] of Object.entries(values) as [keyof Values, string][]) {
    const { text, removed } = sanitise(value);
    if (removed > 0) odd('text.sanitised', name);
    if (text.length > LARGEST_VALUE) odd('value.cut', name);
    values[name] = shortened(text);
  }
  return values;
}

function shortened(text: string): string {
  if (text.length <= LARGEST_VALUE) return text;
  const end = /[\ud800-\udbff]/.test(text[LARGEST_VALUE - 1] ?? '') ? LARGEST_VALUE - 1 : LARGEST_VALUE;
  return `${text.slice(0, end)} [cut by mcphooks: ${end} of ${text.length} UTF-16 units]`;
}
