import { describe, expect, it } from 'vitest';
import type { ClientId } from '../../src/clients/client.ts';
import { clientById } from '../../src/clients/index.ts';
import type { HookEvent } from '../../src/declarations/types.ts';
import type { FireHook } from '../../src/fire/format.ts';
import { nativeHandler } from '../../src/plan/compile/mcp-tool.ts';
import { planFor } from './golden.ts';

const hook = (
  event: HookEvent,
  args: Record<string, unknown> = {},
  more: Partial<FireHook> = {},
): FireHook => ({
  n: 1,
  event,
  priority: 'suggestion',
  does: 'emit',
  call: { tool: 'search', args },
  ...more,
});
const compiled = (id: ClientId, h: FireHook, tools: string[] = ['search'], known = true) =>
  nativeHandler(h, clientById(id), tools, known);

describe('a tool that the client calls itself', () => {
  it('is compiled where its text reaches the model, and a shim elsewhere', () => {
    expect(compiled('codex', hook('session_start'), [])).toMatchObject({ tool: 'search' });
    expect(compiled('codex', hook('pre_request'), [])).toMatchObject({ tool: 'search' });
    expect(compiled('codex', hook('post_tool_use'))).toEqual({ note: 'handler.not-here' });
    expect(compiled('claude-code', hook('session_start'))).toEqual({ note: 'handler.not-here' });
    expect(compiled('claude-code', hook('pre_request'))).toMatchObject({ tool: 'search' });
    expect(compiled('claude-code', hook('pre_request'), [])).toEqual({ note: 'handler.no-document' });
    expect(compiled('gemini-cli', hook('pre_request'))).toEqual({ note: 'handler.not-here' });
    expect(compiled('codex', hook('pre_request'), [], false)).toEqual({ note: 'handler.server-unknown' });
  });

  it("gets templates in the client's own substitution, nested ones too", () => {
    const args = { a: ['x {session_id}', { b: '{unknown} {tool_input}' }], n: 1, yes: true };
    expect(compiled('claude-code', hook('post_tool_use', args))).toEqual({
      tool: 'search',
      input: { a: ['x ${session_id}', { b: '{unknown} ${tool_input}' }], n: 1, yes: true },
    });
  });

  it('stays a shim where the client could not say the same', () => {
    expect(compiled('codex', hook('pre_request', { a: { b: null } }))).toEqual({ note: 'handler.null' });
    expect(compiled('codex', hook('pre_request', { a: ['${HOME}'] }))).toEqual({ note: 'handler.dollar' });
    expect(compiled('codex', hook('pre_request', { a: '{project_name}' }))).toEqual({
      note: 'handler.variable',
    });
    const found = { match: { contains: 'x' } };
    expect(compiled('claude-code', hook('post_tool_use', {}, found))).toEqual({ note: 'handler.condition' });
    expect(compiled('codex', hook('pre_request', {}, { cooldownMs: 1 }))).toEqual({
      note: 'handler.condition',
    });
  });

  it('is an entry of its own, recognised by its mark', () => {
    const declarations = [
      { event: 'pre_request', context: 'Text.', priority: 'suggestion' },
      { event: 'pre_request', context_tool: 'search', context_tool_args: { q: 'x' }, priority: 'suggestion' },
    ] as const;
    const plan = planFor({ declarations: [...declarations], options: { handler: 'mcp_tool' } }, 'codex');
    const after = plan.clients[0]?.after ?? '';
    expect(after).toMatch(
      /type = "mcp_tool", server = "notebook", tool = "search", input = \{ q = "x" \}, timeout = 10/,
    );
    expect(after).toMatch(
      /x-mcphooks = "\/mcphooks\/hooks\/notebook\/[0-9a-f]{16}\/codex\/UserPromptSubmit\.tool2"/,
    );
    expect(after).toContain("/codex/UserPromptSubmit'");
    expect(plan.clients[0]?.cells[1]?.notes.map((n) => n.code)).toContain('handler.control');
  });
});
