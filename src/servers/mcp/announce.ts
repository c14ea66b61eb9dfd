import { VERSION } from '../../base/version.ts';
import { EVENTS } from '../../declarations/types.ts';

/** Id of our own extension (docs/extension.md). */
export const OWN_EXTENSION = 'io.github.mcphooks/hooks';
/** The only place in capabilities where declarations may have conditions (`when`). */
export const PLACE_WITH_WHEN = `extensions["${OWN_EXTENSION}"]`;

/** Extension ids that may hold a server's hooks: the expected id of SEP-2282, and our own. */
const EXTENSION_IDS = ['io.modelcontextprotocol/hooks', OWN_EXTENSION] as const;

/** Paths in capabilities, in reading order, where a server declares hooks and a client lists its supported events. */
export const HOOK_PATHS: readonly (readonly string[])[] = [
  ['hooks'],
  ['experimental', 'hooks'],
  ...EXTENSION_IDS.map((id) => ['extensions', id]),
];

const INITIALIZE_VERSION = '2025-11-25';
const DISCOVER_VERSION = '2026-07-28';

const hooks = { supported_events: EVENTS };

/** All six events, at every place where a server may look (SDK servers hide an unknown `hooks` from their authors). */
const capabilities = {
  hooks,
  experimental: { hooks },
  extensions: Object.fromEntries(EXTENSION_IDS.map((id) => [id, hooks])),
};

const clientInfo = { name: 'mcphooks', version: VERSION };

export const INITIALIZE_PARAMS = { protocolVersion: INITIALIZE_VERSION, capabilities, clientInfo };

/** Members of every request in the 2026-07-28 era. */
export const DISCOVER_META = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': DISCOVER_VERSION,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  },
};
