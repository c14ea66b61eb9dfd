import type { FaultArgs, NoArgs } from '../args.ts';
import { syntaxText } from '../syntax.ts';
import type { Wordings } from '../words.ts';

/** Arguments by code. */
export interface EditFaults {
  'edit.unreadable': { found?: string; reason: string };
  'edit.refused': { reason: string };
  'edit.conflict': NoArgs;
  'edit.hidden': { name: string };
  'edit.unsupported-shape': { at: string; wants: string };
  /** `long`: 1: the reason is a long string, not the nesting. */
  'edit.too-deep': { long?: 1 };
  'edit.too-large': { bytes: number; most: number };
  'edit.verify': NoArgs;
}

/** The client whose file it is. */
const reader = ({ client }: FaultArgs): string => (client === undefined ? 'its client' : String(client));

/** Faults of clients' files that can't be edited. */
export const editFaults = (): Wordings<EditFaults> => ({
  'edit.unreadable': {
    what: (a) =>
      `can't be parsed (${syntaxText(a)}), so ${reader(a)} can't use it; mcphooks left it unchanged`,
    fix: () => 'Fix the file at this place, then run the command again.',
  },
  'edit.refused': {
    what: (a) => `${a.reason}; mcphooks left the file unchanged`,
    fix: () => 'Fix the file, then run the command again.',
  },
  'edit.conflict': {
    what: () => 'unresolved merge conflict; mcphooks left the file unchanged',
    fix: () => 'Resolve the conflict, then run the command again.',
  },
  'edit.hidden': {
    what: (a) =>
      `${reader(a)} doesn't read the entries of mcphooks here, because the name '${a.name}' occurs again below; mcphooks left the file unchanged`,
    fix: () => 'Merge the two or delete one, then run the command again.',
  },
  'edit.unsupported-shape': {
    what: (a) => `${a.at} is not ${a.wants}`,
    fix: () => 'Change it to that, or remove it, then run the command again.',
  },
  'edit.too-deep': {
    what: (a) =>
      a.long ? 'it has too long a string to be edited safely' : 'nested too deeply to be edited safely',
    fix: (a) => (a.long ? 'Move the long text into another file.' : 'Make the file flatter.'),
  },
  'edit.too-large': {
    what: (a) =>
      `with these hooks the file would have ${a.bytes} bytes; ${reader(a)} ignores files above ${a.most}`,
    fix: () => 'Shorten the file first.',
  },
  'edit.verify': {
    what: () => 'the edited file did not parse as the old file plus our entries, so nothing was written',
    fix: () => 'Please report this file (without its secrets) as a bug.',
  },
});
