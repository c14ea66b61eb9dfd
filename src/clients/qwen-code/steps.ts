import type { NextStep } from '../../messages/notes.ts';

export const RESTART: NextStep = {
  code: 'qwen.restart',
  text: 'Qwen Code reads its settings when it starts: restart running sessions, or open /hooks in them.',
};

export const PROJECT_START: NextStep = {
  code: 'qwen.project',
  text: "Qwen Code reads a project's hooks only when started in the project's top folder, and runs them without asking unless its folder trust is on.",
};

export const PLUGIN: NextStep = {
  code: 'plugin.qwen',
  text: "Qwen Code: install it with 'qwen extensions install', or try it with 'qwen extensions link'.",
};
