import type { NextStep } from '../../messages/notes.ts';

export const CONFIRM: NextStep = {
  code: 'cursor.confirm',
  text: "Cursor: the hooks were tested in the runtime of its SDK, not in the editor or with a model. Check in the output panel 'Hooks' that they run, and ask the model once whether it read the text.",
};

export const RESTART: NextStep = {
  code: 'cursor.restart',
  text: 'Cursor reads hooks when it opens a folder: restart running sessions.',
};

export const PROJECT: NextStep = {
  code: 'cursor.project',
  text: "Cursor reads a project's hooks only from the folder that was opened, not from a folder below or above it, and not through a link.",
};
