import { describe, expect, it } from 'vitest';
import { missingApproval } from '../../src/app/approval/missing-approval.ts';
import type { ClientId } from '../../src/clients/client.ts';
import type { Declaration } from '../../src/declarations/types.ts';
import type { InstallOptions } from '../../src/plan/options.ts';
import type { ServerRecord } from '../../src/store/types.ts';
import { planFor } from './golden.ts';

/** A hook with a tool, and the name of a server `other` in its arguments; `data`: they hold a tool's output instead. */
const hook = (data: boolean): Declaration => ({
  event: data ? 'post_tool_use' : 'pre_request',
  context_tool: 'search',
  context_tool_args: { q: data ? '{tool_output}' : 'mcp__other__find' },
  priority: 'suggestion',
});

/**
 * Returns the code of the fault with which an install with the options of an earlier one is refused; undefined: there is
 * none. `before`: what differs in the record of that earlier one.
 */
function refusal(
  data: boolean,
  client: ClientId,
  before: (previous: ServerRecord) => Partial<ServerRecord> = () => ({}),
): string | undefined {
  const options: Partial<InstallOptions> = data ? { sendToolData: true } : { handler: 'mcp_tool' };
  const plan = planFor({ declarations: [hook(data)], options }, client);
  const previous = { ...plan.next, ...before(plan.next) };
  return missingApproval({ ...plan, previous }, {}, {})?.code;
}

const changedClient = (change: object) => (previous: ServerRecord) => ({
  clients: Object.fromEntries(
    Object.entries(previous.clients).map(([id, one]) => [id, { ...one, ...change }]),
  ),
});

describe('a remembered leave to send tool data', () => {
  it('covers a hook that was installed with it as it is now', () => {
    expect(refusal(true, 'codex')).toBeUndefined();
    expect(refusal(true, 'codex', () => ({ declarations: [hook(false)] }))).toBe('consent.tool-data');
  });

  it('covers no hook that was installed nowhere', () => {
    expect(refusal(true, 'codex', changedClient({ fidelity: ['unsupported'] }))).toBe('consent.tool-data');
  });

  it('covers all hooks of an earlier version, which recorded no fidelity', () => {
    expect(refusal(true, 'codex', changedClient({ fidelity: undefined }))).toBeUndefined();
  });
});

describe('a remembered grant of control', () => {
  it('covers a tool that this client called before', () => {
    expect(refusal(false, 'codex')).toBeUndefined();
    expect(refusal(false, 'codex', changedClient({ entries: [] }))).toBe('consent.control-added');
  });

  it('covers no other client', () => {
    const elsewhere = ({ clients: { codex } }: ServerRecord) => ({
      clients: { 'claude-code': codex } as ServerRecord['clients'],
    });
    expect(refusal(false, 'codex', elsewhere)).toBe('consent.control-added');
  });

  it('covers no hook that was for the tools of the server as it called itself then', () => {
    expect(refusal(false, 'codex', () => ({ serverName: 'other' }))).toBe('consent.control-added');
    expect(refusal(false, 'codex', () => ({ serverName: 'third' }))).toBeUndefined();
  });
});
