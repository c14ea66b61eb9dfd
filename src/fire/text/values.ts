import { quietly } from '../../base/quietly.ts';
import { isToolEvent } from '../../declarations/types.ts';
import { FIRE_VARIABLE, INPUT_FIELD } from '../../declarations/variables.ts';
import type { FireHook, PayloadShape } from '../format.ts';
import { at, type Payload, textAt } from '../payload.ts';
import { sanitise } from './sanitise.ts';
import type { Values } from './template.ts';

/** Most UTF-16 units of a value in a text. A tool gets values whole: a part of them would no longer parse. */
const LARGEST_VALUE = 8_000;

/** Values shared by all hooks of one fire. */
export interface Facts {
  projectName: string;
  /** Absolute path of the project's folder. */
  projectDir: string;
  session?: string | undefined;
  prompt?: string | undefined;
  /** The tool's input as in the client's payload. */
  fields?: unknown;
  /** The tool's input as compact JSON. */
  input?: string | undefined;
  output?: string | undefined;
}

export function factsOf(
  payload: Payload,
  shape: PayloadShape,
  project: { name: string; root: string },
): Facts {
  const fields = at(payload, shape.toolInput);
  const output = at(payload, shape.toolOutput);
  return {
    projectName: project.name,
    projectDir: project.root,
    session: textAt(payload, shape.session),
    prompt: textAt(payload, shape.prompt),
    fields,
    input: serialised(fields),
    output: shape.outputIsText ? partsText(output) : asText(output),
  };
}

/** Returns a value as compact JSON; undefined for none, and for one that is nested more deeply than the stack allows. */
export const serialised = (value: unknown): string | undefined => quietly(() => JSON.stringify(value));

/** Returns a text itself, and any other value as compact JSON. */
const asText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : serialised(value);

/** Returns a tool's result as text: a string, or the joined texts of a list of `{ text }` (Gemini CLI 0.61.0). */
function partsText(given: unknown): string | undefined {
  if (given === undefined || typeof given === 'string') return given;
  const parts = Array.isArray(given) ? given : [given];
  return parts.map((part) => at(part, 'text') ?? serialised(part)).join('\n');
}

/**
 * Returns the values of the template variables that a hook's templates name: the tool's for tool events only, its output
 * for post_tool_use only, the prompt for pre_request only. `odd` is called for each value that was sanitised or cut,
 * which those in a tool's arguments never are.
 */
export function valuesFor(
  { event, text: template = '', call }: FireHook,
  toolName: string,
  facts: Facts,
  odd: (incident: 'text.sanitised' | 'value.cut', detail: string) => void,
): Values {
  const onTools = isToolEvent(event);
  const all: Record<string, string | undefined> = {
    project_name: facts.projectName,
    project_dir: facts.projectDir,
    session_id: facts.session,
    ...(onTools && { tool_name: toolName || undefined, tool_input: facts.input }),
    ...(event === 'post_tool_use' && { tool_output: facts.output }),
    ...(event === 'pre_request' && { prompt: facts.prompt }),
  };
  const values: Record<string, string> = {};
  for (const [, name = ''] of `${template} ${JSON.stringify(call?.args ?? {})}`.matchAll(FIRE_VARIABLE)) {
    const field = INPUT_FIELD.exec(name)?.[1]?.slice(1);
    const value = field === undefined ? all[name] : asText(at(onTools && facts.fields, field));
    if (value === undefined || Object.hasOwn(values, name)) continue;
    if (call) {
      values[name] = value;
      continue;
    }
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
