import { inside, slashed } from '../../base/paths.ts';
import { slugFor } from '../../base/slug.ts';
import { activeScopes } from '../../inspect/scopes.ts';
import { Fault } from '../../messages/fault.ts';
import type { Context } from '../context.ts';
import type { Request } from '../request.ts';

/**
 * Returns the notice that hooks of a file are installed for this project alone, which a command for authors doesn't use;
 * undefined when the request, or an install for all projects, says which hooks count.
 */
export async function fileElsewhere(
  command: 'lint' | 'export',
  { server, given, declarationsFile, catalogue, reset }: Request,
  context: Context,
): Promise<Fault | undefined> {
  if (given || declarationsFile !== undefined || catalogue || reset) return undefined;
  const slug = slugFor(server);
  const found = (await activeScopes(context)).flatMap(({ servers }) =>
    servers.filter((s) => s.slug === slug),
  );
  if (found.some(({ scope }) => scope === 'user')) return undefined;
  for (const { scope, from } of found) {
    if (from.kind !== 'file') continue;
    const file = slashed(inside(context.cwd, from.file) || from.file);
    return new Fault('decl-file.elsewhere', { name: server, scope, command, file });
  }
  return undefined;
}
