import type { NextStep } from '../../messages/notes.ts';

export const RESTART: NextStep = {
  code: 'gemini.restart',
  text: 'Gemini CLI reads its settings when it starts: restart running sessions.',
};

export const TRUST: NextStep = {
  code: 'gemini.trust',
  text: 'Gemini CLI runs hooks of settings files only in folders that you trust.',
};

export const PROJECT_START: NextStep = {
  code: 'gemini.project',
  text: "Gemini CLI reads a project's hooks only when it is started in this very folder, and when each user has trusted it; new ones are named in a warning once.",
};

export const PLUGIN: NextStep = {
  code: 'plugin.gemini',
  text: "Gemini CLI: 'gemini extensions install' it. Hooks of an extension run in folders that are not trusted, too.",
};
