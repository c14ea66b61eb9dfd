import type { NoArgs } from '../args.ts';
import { syntaxText } from '../syntax.ts';
import type { Wordings } from '../words.ts';

/** Arguments by code. */
export interface EditFaults {
  'edit.unreadable': { found?: string; reason: string };
  'edit.refused': { reason: string };
  'edit.conflict': NoArgs;
  'edit.unsupported-shape': { at: string; wants: string };
  'edit.too-deep': NoArgs;
  'edit.too-large': { bytes: number; most: number };
  'edit.verify': NoArgs;
}

/** Faults of clients' files that can't be edited. */
export const editFaults = (): Wordings<EditFaults> => ({
  'edit.unreadable': {
    what: (a) => `the client that owns this file does not read it: ${syntaxText(a)}; it is left untouched`,
    fix: () => 'Mend the file at this place and run the command again.',
  },
  'edit.refused': {
    what: (a) => `the client that owns this file would not take it: ${a.reason}; it is left untouched`,
    fix: () => 'Mend the file and run the command again.',
  },
  'edit.conflict': {
    what: () => 'a merge conflict; the file is left untouched',
    fix: () => 'Decide for one side, or merge both by hand, and run the command again.',
  },
  'edit.unsupported-shape': {
    what: (a) => `${a.at} is not ${a.wants}`,
    fix: () => 'Write it in that shape, or take it out, and run the command again.',
  },
  'edit.too-deep': {
    what: () => 'nested too deeply, or with a string too long, to be edited safely',
    fix: () => 'Make the file flatter, or move the text into a file of its own.',
  },
  'edit.too-large': {
    what: (a) =>
      `with our hooks the file would have ${a.bytes} bytes; its client drops files above ${a.most}`,
    fix: () => 'Shorten the file first.',
  },
  'edit.verify': {
    what: () =>
      'the edited text did not read as the old file plus exactly our entries, so nothing was written',
    fix: () => 'Please report this file (without its secrets) as a bug.',
  },
});
