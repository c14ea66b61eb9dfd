import { word } from '../messages/words.ts';
import { chosenOptions, OPTIONS, type OptionName, type OptionRow, optionName } from '../plan/options.ts';
import type { ServerRecord } from '../store/types.ts';

/**
 * Returns the options of a command line that repeat the choices of an install, for another name of its server. What the
 * user approved by an option of its own is left out: an install under the new name asks for it.
 */
export function wordsToRepeat({
  clients,
  clientsChosen,
  from,
  options,
  defaulted = [],
}: ServerRecord): string {
  const chosen = Object.entries(chosenOptions(options)).flatMap(([name, value]): string[] => {
    const row: OptionRow | undefined = Object.hasOwn(OPTIONS, name) ? OPTIONS[name as OptionName] : undefined;
    if (!row || row.group === 'approval' || defaulted.includes(name)) return [];
    return [`--${optionName(row)}`, ...(row.kind === 'yes' ? [] : [String(value)])];
  });
  const ids = clientsChosen ? ['--client', Object.keys(clients).join()] : [];
  return [...sourceWords(from), ...ids, ...chosen].map((one) => word(one)).join(' ');
}

function sourceWords(from: ServerRecord['from']): string[] {
  if (from.kind === 'file') return ['--declarations', from.file, ...(from.unchecked ? ['--no-check'] : [])];
  if (from.kind === 'catalogue') return ['--catalogue', from.entry];
  return from.kind === 'package' ? ['--catalogue'] : [];
}
