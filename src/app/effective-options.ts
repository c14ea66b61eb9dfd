import type { ClientId } from '../clients/client.ts';
import {
  chosenOptions,
  DEFAULT_OPTIONS,
  type InstallOptions,
  OPTIONS,
  type OptionName,
} from '../plan/options.ts';
import type { ServerRecord } from '../store/types.ts';
import type { Request } from './request.ts';
import { DEFAULTABLE, type Defaults } from './user-config.ts';

interface EffectiveOptions {
  options: InstallOptions;
  /** Names of the options that no command line gave, now or at an earlier install. */
  defaulted: OptionName[];
  /** Without `--client`. */
  clients?: readonly ClientId[];
}

/** What counts, strongest first: this command line, what earlier ones said, the user's defaults, ours. */
export function optionsFor(
  request: Pick<Request, 'server' | 'reset' | 'options'>,
  previous: ServerRecord | undefined,
  defaults: Defaults,
): EffectiveOptions {
  const given = { ...(request.reset ? {} : rememberedOptions(previous)), ...request.options };
  return {
    options: { ...DEFAULT_OPTIONS, ...defaults.options, ...given },
    defaulted: DEFAULTABLE.filter((name) => given[name] === undefined),
    ...(defaults.clients && { clients: defaults.clients }),
  };
}

/** Those of other versions are among them: the digest of what was approved holds them. */
function rememberedOptions(previous: ServerRecord | undefined): Partial<InstallOptions> {
  const { options = {}, defaulted = [] } = previous ?? {};
  const chosen = chosenOptions(options);
  return Object.fromEntries(
    Object.entries(options).filter(([name]) =>
      Object.hasOwn(OPTIONS, name) ? !defaulted.includes(name) : Object.hasOwn(chosen, name),
    ),
  );
}
