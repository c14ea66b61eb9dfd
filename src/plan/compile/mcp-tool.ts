import { mapLeaves } from '../../base/json-value.ts';
import type { Client } from '../../clients/client.ts';
import { TEMPLATE_VARIABLES, type TemplateVariable } from '../../declarations/types.ts';
import type { FireHook } from '../../fire/format.ts';
import type { NoteCode } from '../../messages/notes.ts';

/**
 * Fields of the client's own `mcp_tool` handler without `server`, `timeout` and our mark; or a note why a shim is
 * needed.
 */
type NativeHandler = { tool: string; input: Record<string, unknown> } | { note: NoteCode };

/**
 * Compiles a hook that calls a tool to the client's own handler (`--grant-control`). `documentTools`: names of tools
 * whose output schema has `hookSpecificOutput`; `known`: the client has the server configured.
 */
export function nativeHandler(
  hook: FireHook,
  client: Client,
  documentTools: readonly string[],
  known: boolean,
): NativeHandler {
  const { mcpTool } = client;
  if (!mcpTool?.events.includes(hook.event)) return { note: 'handler.not-here' };
  if (!known) return { note: 'handler.server-unknown' };
  if (mcpTool.needsDocument && !documentTools.includes(hook.call?.tool ?? ''))
    return { note: 'handler.no-document' };
  const { match, when, cooldownMs, call } = hook;
  if (match?.contains !== undefined || when || cooldownMs !== undefined || call?.answer)
    return { note: 'handler.condition' };
  try {
    const input = expressed(hook.call?.args ?? {}, mcpTool.variables) as Record<string, unknown>;
    return { tool: hook.call?.tool ?? '', input };
  } catch (error) {
    if (error instanceof Inexpressible) return { note: error.note };
    throw error;
  }
}

class Inexpressible extends Error {
  readonly note: NoteCode;
  constructor(note: NoteCode) {
    super(note);
    this.note = note;
  }
}

const TEMPLATE = new RegExp(`\\{(${TEMPLATE_VARIABLES.join('|')})\\}`, 'g');

/**
 * Rewrites arguments in the client's own substitution syntax. Throws Inexpressible for `${`, which this syntax can't
 * escape, and for null, which Codex can't write.
 */
const expressed = (args: unknown, variables: Partial<Record<TemplateVariable, string>>): unknown =>
  mapLeaves(args, (value) => {
    if (value === null) throw new Inexpressible('handler.null');
    if (typeof value !== 'string') return value;
    if (value.includes('${')) throw new Inexpressible('handler.dollar');
    return value.replace(TEMPLATE, (_, name: TemplateVariable) => {
      const reference = variables[name];
      if (reference === undefined) throw new Inexpressible('handler.variable');
      return reference;
    });
  });
