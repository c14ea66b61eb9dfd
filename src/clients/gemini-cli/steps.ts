import type { NextStep } from '../../messages/notes.ts';

export const RESTART: NextStep = {
  code: 'gemini.restart',
  text: 'Gemini CLI reads its settings when it starts: restart running sessions.',
};

export const TRUST: NextStep = {
  code: 'gemini.trust',
  text: 'Gemini CLI runs hooks from settings files only in folders that you trust.',
};

export const PROJECT_START: NextStep = {
  code: 'gemini.project',
  text: "Gemini CLI reads a project's hooks only when started in the project's top folder, and only after each user has trusted it; a warning names new ones once.",
};

export const PLUGIN: NextStep = {
  code: 'plugin.gemini',
  text: "Gemini CLI: install it with 'gemini extensions install'. An extension's hooks also run in folders that are not trusted.",
};
