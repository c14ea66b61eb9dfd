import type { InstallOptions } from '../apply/types.ts';
import type { ClientId } from '../clients/types.ts';
import { canonicalJson } from '../declarations/canonical.ts';
import type { Declaration } from '../declarations/types.ts';
import { sha256 } from '../sha256.ts';

/** Defaults of the contract ("Commands", "Limits"). */
export const DEFAULT_OPTIONS: InstallOptions = {
  only: [],
  skip: [],
  sessionEnd: 'skip',
  postRequest: 'defer',
  maxPriority: 'important',
  cooldown: 0,
  maxText: 8_000,
  maxDeclarations: 64,
  lenient: false,
  sendToolData: false,
  handler: 'shim',
  target: 'settings',
  allowInvisible: false,
};

/** Milliseconds that one tool may take, and seconds that the client grants the hook. */
export const DEADLINES = {
  session_start: { callMs: 10_000, timeout: 15 },
  other: { callMs: 5_000, timeout: 10 },
} as const;

/** Only what differs from the defaults, so that an option which a later version adds changes no digest. */
export function chosenOptions(options: InstallOptions): Partial<InstallOptions> {
  const entries = Object.entries(options).filter(
    ([key, value]) => canonicalJson(value) !== canonicalJson(DEFAULT_OPTIONS[key as keyof InstallOptions]),
  );
  return Object.fromEntries(entries) as Partial<InstallOptions>;
}

/** What stands in the path of a shim: 16 hex digits over what was approved, and nothing of mcphooks' version. */
export function approvalDigest(
  declarations: readonly Declaration[],
  options: InstallOptions,
  client: ClientId,
): string {
  // Where entries stand is no part of what they do.
  const { codexFile: _file, target: _where, ...shaping } = chosenOptions(options);
  const approved = canonicalJson({ declarations, options: shaping, client });
  return sha256(approved).slice(0, 16);
}
