import { canonicalJson } from '../declarations/canonical-json.ts';
import type { Declaration, HookEvent } from '../declarations/types.ts';
import type { ServerRecord } from '../store/types.ts';
import { DEFAULT_OPTIONS, type InstallOptions, isHookNumber, recordedChoice } from './options.ts';

type HookChoice = Pick<InstallOptions, 'only' | 'skip'>;

/** In `only`: no hook. Hook numbers start at 1. */
const NONE = '0';

/** Whether `only` and `skip`, which hold events and hook numbers, choose a hook. */
export function isChosen(event: HookEvent, n: number, { only, skip }: HookChoice): boolean {
  const names = (list: readonly string[]): boolean => list.includes(event) || list.includes(String(n));
  return (only.length === 0 || names(only)) && !names(skip);
}

/** Whether options, also recorded ones, leave a hook in: by its number and event, and by what is done with its event. */
export function isLeftIn(
  event: HookEvent,
  n: number,
  recorded: Readonly<Partial<Record<keyof InstallOptions, unknown>>>,
): boolean {
  const options = { ...DEFAULT_OPTIONS, ...recorded } as InstallOptions;
  if (event === 'session_end' && options.sessionEnd === 'skip') return false;
  if (event === 'post_request' && options.postRequest === 'skip') return false;
  return isChosen(event, n, options);
}

/**
 * Returns a choice among declarations as the same choice among other ones: a number follows its hook. A hook that
 * changed is found by its event, matcher and tool. When no hook of `only` is left, no hook is chosen.
 */
export function choiceAmong(
  now: readonly Declaration[],
  { only, skip }: HookChoice,
  before: readonly Declaration[],
): HookChoice {
  if ([...only, ...skip].every((name) => !isHookNumber(name))) return { only, skip };
  const places = newPlaces(before, now);
  const follow = (list: string[]): string[] => {
    const found = list.flatMap((name) => {
      if (!isHookNumber(name)) return [name];
      const place = places.get(Number(name) - 1);
      return place === undefined ? [] : [String(place + 1)];
    });
    // Earlier versions recorded names as given: the same choice stays the same list.
    const isSame = recordedChoice(found).join() === recordedChoice(list).join();
    return isSame ? list : recordedChoice(found);
  };
  const followed = follow(only);
  return { only: only.length > 0 && followed.length === 0 ? [NONE] : followed, skip: follow(skip) };
}

/** Returns the options of an install with their hook numbers as numbers of other declarations. */
export const renumberedOptions = (
  now: readonly Declaration[],
  { options, declarations }: Pick<ServerRecord, 'options' | 'declarations'>,
): ServerRecord['options'] => ({
  ...options,
  ...choiceAmong(now, { ...DEFAULT_OPTIONS, ...options } as InstallOptions, declarations),
});

/** Returns the index in `now` of each declaration in `before` that is still there. */
function newPlaces(before: readonly Declaration[], now: readonly Declaration[]): Map<number, number> {
  const places = new Map<number, number>();
  const taken = new Set<number>();
  for (const alike of [canonicalJson, outline]) {
    const wanted = now.map(alike);
    for (const [i, declaration] of before.entries()) {
      if (places.has(i)) continue;
      const text = alike(declaration);
      const place = wanted.findIndex((one, at) => one === text && !taken.has(at));
      if (place < 0) continue;
      places.set(i, place);
      taken.add(place);
    }
  }
  return places;
}

/** What stays of a hook when its author changes its text. */
const outline = ({ event, matcher, context_tool }: Declaration): string =>
  canonicalJson({ event, matcher: matcher ?? null, context_tool: context_tool ?? null });
