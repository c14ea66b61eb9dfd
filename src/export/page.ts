import { oneLine } from '../base/visible.ts';
import type { Declaration } from '../declarations/types.ts';
import { userDataIn } from '../declarations/variables.ts';
import { pluginPage, whenText } from '../messages/hook-words.ts';
import { conditionTexts } from '../messages/when-words.ts';
import { isCarried } from '../plan/carried.ts';
import { README } from './export-path.ts';
import type { Packed, PackedFile } from './pack.ts';

/**
 * Returns the README of the plugin `name`, with the hooks that fire on at least one client. `variables`: those that the
 * plugin's server needs from each machine.
 */
export function pageOf({
  server,
  declarations,
  name,
  variables,
  shares,
}: {
  server: string;
  declarations: readonly Declaration[];
  name: string;
  variables: readonly string[];
  shares: readonly Packed[];
}): PackedFile {
  const hooks = declarations.flatMap((declaration, i) =>
    shares.some(({ cells }) => isCarried(cells[i]?.fidelity))
      ? [
          {
            n: i + 1,
            moment: whenText(declaration),
            conditions: conditionTexts(declaration.when),
            given: givenBy(declaration),
          },
        ]
      : [],
  );
  return {
    path: README,
    text: pluginPage({ name, server: oneLine(server), variables: variables.map(oneLine), hooks }),
  };
}

/** Returns a hook's text, or the call whose answer is its text. */
const givenBy = ({ context = '', context_tool: tool, context_tool_args: args }: Declaration) =>
  tool === undefined ? context : { tool, args, sends: userDataIn(args) };
