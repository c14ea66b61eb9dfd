import { mapLeaves } from '../../base/json-value.ts';
import { sha256 } from '../../base/sha256.ts';
import { canonicalJson } from '../../declarations/canonical-json.ts';
import type { HookGroup } from '../hook-config.ts';

const snake = (event: string): string => event.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();

/** Events whose matcher Codex ignores and leaves out of the hash. */
const WITHOUT_MATCHER = ['UserPromptSubmit', 'Stop', 'Interrupt', 'PreModelRequest', 'PostModelRequest'];
/**
 * Events with context, and so with a context limit. On other events Codex ignores the limit, with a warning at each
 * start.
 */
export const WITH_CONTEXT = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'SubagentStart',
];
/** Events whose timeout is 1 to 3 s. */
const SHORT = ['SessionEnd', 'Interrupt'];

/** Key of a hook in `[hooks.state]` (Codex 0.169.0), made from the hook's position. */
export function reviewKey(
  file: string,
  event: string,
  group: number | string,
  handler: number | string,
): string {
  return `${file}:${snake(event)}:${group}:${handler}`;
}

/** `trusted_hash` of a hook, as Codex 0.169.0 computes it: used to detect what was reviewed, never written. */
export function reviewHash(event: string, group: HookGroup, handler: number, windows = false): string {
  const identity = {
    event_name: snake(event),
    ...(group.matcher !== undefined && !WITHOUT_MATCHER.includes(event) && { matcher: group.matcher }),
    hooks: [normalised(event, group, handler, windows)],
  };
  return `sha256:${sha256(canonicalJson(identity))}`;
}

function normalised(
  event: string,
  group: HookGroup,
  handler: number,
  windows: boolean,
): Record<string, unknown> {
  const h = group.hooks[handler] ?? { type: '' };
  const seconds = Math.max(h.timeout ?? (SHORT.includes(event) ? 1 : 600), 1);
  const timeout = SHORT.includes(event) ? Math.min(seconds, 3) : seconds;
  const status = h.statusMessage === undefined ? {} : { statusMessage: h.statusMessage };
  if (h.type === 'mcp_tool')
    return {
      type: h.type,
      server: h.server,
      tool: h.tool,
      input: numbers(h.input ?? {}),
      timeout,
      ...status,
    };
  const limit = WITH_CONTEXT.includes(event) ? h.additionalContextLimit : undefined;
  return {
    type: 'command',
    // Seen in codex.exe 0.169.0: the review is of the line that runs there.
    command: (windows && h.commandWindows) || h.command,
    timeout,
    async: h.async ?? false,
    ...status,
    ...(limit !== undefined && { additionalContextLimit: limit }),
  };
}

/**
 * Wraps numbers as Codex's JSON library does: the library keeps numbers of a free-form value as text, which affects the
 * hash.
 */
const numbers = (value: unknown): unknown =>
  mapLeaves(value, (leaf) =>
    typeof leaf === 'number' ? { '$serde_json::private::Number': String(leaf) } : leaf,
  );
