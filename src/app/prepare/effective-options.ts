import type { ClientId } from '../../clients/client.ts';
import type { Declaration } from '../../declarations/types.ts';
import { Fault } from '../../messages/fault.ts';
import { choiceAmong } from '../../plan/chosen-hooks.ts';
import {
  chosenOptions,
  DEFAULT_OPTIONS,
  type InstallOptions,
  OPTIONS,
  type OptionName,
  recordedChoice,
} from '../../plan/options.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { Request } from '../request.ts';
import { DEFAULTABLE, type Defaults } from './user-config.ts';

/** Options in effect, and where they are from. */
export interface EffectiveOptions {
  options: InstallOptions;
  /** Names of options that no command line set, now or at an earlier install. */
  defaulted: OptionName[];
  /** The user's default clients, for a command without `--client`. */
  clients?: readonly ClientId[];
}

/**
 * Returns the effective options, strongest first: this command line, recorded command lines, the user's defaults, the
 * built-in defaults.
 */
export function optionsFor(
  request: Pick<Request, 'server' | 'reset' | 'options'>,
  previous: ServerRecord | undefined,
  defaults: Defaults,
): EffectiveOptions {
  const remembered = request.reset ? {} : rememberedOptions(previous);
  const given = { ...withoutChoice(remembered, request.options), ...asRecorded(request.options) };
  return {
    options: { ...DEFAULT_OPTIONS, ...defaults.options, ...given },
    defaulted: DEFAULTABLE.filter((name) => given[name] === undefined),
    ...(defaults.clients && { clients: defaults.clients }),
  };
}

/**
 * Returns the recorded options that a command line set. Options of other versions stay, since the digest of what was
 * approved includes them.
 */
function rememberedOptions(previous: ServerRecord | undefined): Partial<InstallOptions> {
  const { options = {}, defaulted = [] } = previous ?? {};
  const chosen = chosenOptions(options);
  return Object.fromEntries(
    Object.entries(options).filter(([name]) =>
      Object.hasOwn(OPTIONS, name) ? !defaulted.includes(name) : Object.hasOwn(chosen, name),
    ),
  );
}

/** Returns remembered options without `only` and `skip` where this command line has one of them: they are one choice. */
function withoutChoice(
  { only, skip, ...others }: Partial<InstallOptions>,
  given: Partial<InstallOptions>,
): Partial<InstallOptions> {
  if (given.only || given.skip) return others;
  return { ...others, ...(only && { only }), ...(skip && { skip }) };
}

/** Returns the options with remembered hook numbers, which count the approved declarations, as numbers of these. */
export function withChoiceAmong(
  declarations: readonly Declaration[],
  options: InstallOptions,
  { options: given, reset }: Pick<Request, 'options' | 'reset'>,
  previous: ServerRecord | undefined,
): InstallOptions {
  if (!previous || reset) return options;
  return { ...options, ...choiceAmong(declarations, options, previous.declarations), ...asRecorded(given) };
}

/** Returns options that were given with hooks in the form in which they are recorded. */
const asRecorded = ({ only, skip, ...others }: Partial<InstallOptions>): Partial<InstallOptions> => ({
  ...others,
  ...(only && { only: recordedChoice(only) }),
  ...(skip && { skip: recordedChoice(skip) }),
});

/** Throws a Fault for a hook number on this command line that no declaration has. */
export function checkHookNumbers(given: Partial<InstallOptions>, count: number): void {
  for (const option of ['only', 'skip'] as const)
    for (const number of (given[option] ?? []).map(Number))
      if (number > count) throw new Fault('usage.no-hook', { option: `--${option}`, number, count });
}

/** Returns the options with the values that a catalogue entry suggests for those that neither user nor defaults set. */
export function withSuggested(
  options: InstallOptions,
  suggested: Readonly<Record<string, number>>,
  defaulted: readonly OptionName[],
  defaults: Defaults,
): InstallOptions {
  const open = Object.entries(suggested).filter(
    ([name]) => defaulted.some((one) => one === name) && !Object.hasOwn(defaults.options, name),
  );
  return { ...options, ...Object.fromEntries(open) };
}
