import { commandWords } from '../messages/words.ts';
import { chosenOptions, flagWords, OPTIONS, type OptionName, type OptionRow } from '../plan/options.ts';
import type { ServerRecord } from '../store/types.ts';

/**
 * Returns the options of a command line that repeat the choices of an install, for another name of its server. What the
 * user approved by an option of its own is left out: an install under the new name asks for it.
 */
export const wordsToRepeat = (record: ServerRecord): string =>
  commandWords([...sourceWords(record.from), ...clientWords(record), ...optionWords(record)]);

/** Returns those of them that make sense for other declarations, too: hooks have other numbers there. */
export const wordsForOthers = (record: ServerRecord): string =>
  commandWords([...clientWords(record), ...optionWords(record, 'hooks')]);

const clientWords = ({ clients, clientsChosen }: ServerRecord): string[] =>
  clientsChosen ? ['--client', Object.keys(clients).join()] : [];

function optionWords({ options, defaulted = [] }: ServerRecord, except?: OptionRow['kind']): string[] {
  return Object.entries(chosenOptions(options)).flatMap(([name, value]): string[] => {
    const row: OptionRow | undefined = Object.hasOwn(OPTIONS, name) ? OPTIONS[name as OptionName] : undefined;
    if (!row || row.group === 'approval' || row.kind === except || defaulted.includes(name)) return [];
    return flagWords(row, value);
  });
}

function sourceWords(from: ServerRecord['from']): string[] {
  if (from.kind === 'file') return ['--declarations', from.file, ...(from.unchecked ? ['--no-check'] : [])];
  if (from.kind === 'catalogue') return ['--catalogue', from.entry];
  return from.kind === 'package' ? ['--catalogue'] : [];
}
