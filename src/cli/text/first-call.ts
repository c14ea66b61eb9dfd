import type { Context } from '../../app/context.ts';
import { type FirstCall, maskedCall, plainStart } from '../../app/first-call/first-call.ts';
import type { Prepared } from '../../app/prepare/prepare.ts';
import { homeFolder } from '../../base/paths.ts';
import { oneLine } from '../../base/visible.ts';
import { directText, firstCallText, keepWarmText } from '../../messages/notes.ts';
import type { Plan } from '../../plan/types.ts';
import { shortPath } from './plan-files.ts';

/** Returns what an install says about the start of its server: how long it takes, and how it takes less. */
export function startTexts(
  first: FirstCall | undefined,
  written: Plan,
  prepared: Prepared,
  context: Context,
): string[] {
  const startMs = first ? first.nextMs : plainStart(written, prepared);
  const { server, options } = written;
  const proposal = options.keepWarm === 0 ? keepWarmText(startMs, server, context.scope.name) : undefined;
  const texts = [first && firstCallText(first), first && adviceOf(first, prepared, context), proposal];
  return texts.filter((text) => text !== undefined);
}

/** Returns the advice to start the server without its package runner, in the form of the file that defines it. */
function adviceOf(first: FirstCall, { input }: Prepared, context: Context): string | undefined {
  const { direct, nextMs, runner } = maskedCall(first);
  const { toolAccess, server } = input;
  if (!direct || nextMs === undefined || !('at' in toolAccess)) return undefined;
  const { source, dialect } = toolAccess.at;
  if (source.file === undefined) return undefined;
  const file = shortPath(source.file, { home: homeFolder(context.env) });
  const argv = dialect?.keys.argv;
  const spelling = { file, server: oneLine(server), toml: source.file.endsWith('.toml'), argv };
  return directText(direct, { runner, nextMs }, spelling);
}
