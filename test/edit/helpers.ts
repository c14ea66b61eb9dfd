import type { HookFile, HookGroup } from '../../src/clients/hook-config.ts';
import { clientById } from '../../src/clients/index.ts';
import { asLaidOut } from '../../src/edit/layout.ts';
import { reconcile } from '../../src/edit/reconcile.ts';
import type { FileMemory, Reconciled, ReconcileRequest, WantedEntry } from '../../src/edit/types.ts';

export type ClientFile = 'claude' | 'codex-json' | 'codex-toml' | 'copilot' | 'cursor' | 'gemini' | 'qwen';

export interface Kind extends Pick<HookFile, 'format' | 'accepts' | 'layout' | 'frame'> {
  file: string;
  tombstones: boolean;
  /** Two native events, the first with a matcher. */
  events: [string, string];
}

export const KINDS: Record<ClientFile, Kind> = {
  claude: {
    file: '/home/u/.claude/settings.json',
    format: 'json',
    accepts: { bom: true, emptyFile: true, maxBytes: 2_000_000 },
    tombstones: false,
    events: ['PostToolUse', 'SessionStart'],
  },
  gemini: {
    file: '/home/u/.gemini/settings.json',
    format: 'jsonc',
    accepts: { bom: false, emptyFile: false },
    tombstones: false,
    events: ['AfterTool', 'BeforeAgent'],
  },
  copilot: {
    ...(clientById('copilot').hooks.user[0] as HookFile),
    file: '/home/u/.copilot/hooks/mcphooks.json',
    tombstones: false,
    events: ['postToolUse', 'sessionStart'],
  },
  cursor: {
    ...(clientById('cursor').hooks.user[0] as HookFile),
    file: '/home/u/.cursor/hooks.json',
    tombstones: false,
    events: ['postToolUse', 'beforeSubmitPrompt'],
  },
  qwen: {
    ...(clientById('qwen-code').hooks.user[0] as HookFile),
    file: '/home/u/.qwen/settings.json',
    tombstones: false,
    events: ['PostToolUse', 'UserPromptSubmit'],
  },
  'codex-json': {
    file: '/home/u/.codex/hooks.json',
    format: 'json',
    accepts: { bom: false, emptyFile: false, topLevelKeys: ['description', 'hooks'] },
    tombstones: true,
    events: ['PostToolUse', 'SessionStart'],
  },
  'codex-toml': {
    file: '/home/u/.codex/config.toml',
    format: 'toml',
    accepts: { bom: true, emptyFile: true },
    tombstones: true,
    events: ['PostToolUse', 'SessionStart'],
  },
};

const command = (server: string, key: string, digest: string): string =>
  `'/home/u/.local/share/mcphooks/${server}/${digest}/${key}' 2>/dev/null || exit 0`;

export const oursOf = (server: string) => (text: string) =>
  new RegExp(`^'/home/u/\\.local/share/mcphooks/${server}/[^/]+/([^/]+)' 2>/dev/null`).exec(text)?.[1];

export function entries(kind: Kind, server: string, digest = 'd1'): WantedEntry[] {
  const [tool, other] = kind.events;
  const group = (key: string, matcher?: string): HookGroup => ({
    ...(matcher !== undefined && { matcher }),
    hooks: [
      {
        type: 'command',
        command: command(server, key, digest),
        timeout: 10,
        ...(kind.tombstones && { additionalContextLimit: 0 }),
      },
    ],
  });
  return [
    { event: tool, key: tool, group: group(tool, '^(Bash|mcp__x__.*)$') },
    { event: other, key: other, group: group(other) },
  ];
}

/** A group as the file holds it. */
export const laidOut = (kind: Kind, group: HookGroup): HookGroup => {
  const [edit] = asLaidOut([{ kind: 'append', event: '', group }], kind);
  return edit?.kind === 'append' ? edit.group : group;
};

export interface State {
  text: string | null;
  memory: FileMemory | undefined;
}

export const start = (text: string | null): State => ({ text, memory: undefined });

/** What the record would say was last written, per server. */
export function run(
  kind: Kind,
  state: State,
  server: string,
  wanted: readonly WantedEntry[],
  written: readonly WantedEntry[] | undefined,
  more: Partial<ReconcileRequest> = {},
): Reconciled {
  return reconcile({
    file: kind.file,
    format: kind.format,
    accepts: kind.accepts,
    tombstones: kind.tombstones,
    ...(kind.layout && { layout: kind.layout }),
    ...(kind.frame && { frame: kind.frame }),
    text: state.text,
    memory: state.memory && structuredClone(state.memory),
    wanted,
    ours: oursOf(server),
    written: written ?? [],
    ...more,
  });
}

export const install = (kind: Kind, state: State, server = 'mem', digest = 'd1'): Reconciled =>
  run(kind, state, server, entries(kind, server, digest), undefined);

export const uninstall = (kind: Kind, state: State, server = 'mem', digest = 'd1'): Reconciled =>
  run(kind, state, server, [], entries(kind, server, digest));
