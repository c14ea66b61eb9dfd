import type { When } from './when.ts';

/** The six events of SEP-2282, "Event types", in the order of a session. */
export const EVENTS = [
  'session_start',
  'pre_request',
  'pre_tool_use',
  'post_tool_use',
  'post_request',
  'session_end',
] as const;
export type HookEvent = (typeof EVENTS)[number];

export const isToolEvent = (event: HookEvent): boolean => event.endsWith('_tool_use');

/** Weakest first, so that indexes can be compared. */
export const PRIORITIES = ['suggestion', 'important', 'required'] as const;
export type Priority = (typeof PRIORITIES)[number];

export interface Matcher {
  tool_name?: string;
  input_contains?: string;
  tool_server?: string;
}

/** One entry of `hooks.declarations`, valid by schema and prose: exactly one of `context` and `context_tool`. */
export interface Declaration {
  event: HookEvent;
  matcher?: Matcher;
  context?: string;
  context_tool?: string;
  context_tool_args?: Record<string, unknown>;
  priority: Priority;
  /** Beyond SEP-2282: only in files, catalogue entries and our own extension. */
  when?: When;
}

/** True when any of these declarations calls a tool. */
export const callsTools = (declarations: readonly Pick<Declaration, 'context_tool'>[]): boolean =>
  declarations.some(({ context_tool }) => context_tool !== undefined);

/** SEP-2282, "Template variables". */
export const TEMPLATE_VARIABLES = [
  'project_name',
  'tool_name',
  'tool_input',
  'tool_output',
  'session_id',
] as const;
export type TemplateVariable = (typeof TEMPLATE_VARIABLES)[number];
