import type { NextStep } from '../../messages/notes.ts';

export const PROJECT_START: NextStep = {
  code: 'claude.project',
  text: "Claude Code reads a project's hooks only when started in the project's top folder, not in a subfolder; 'claude -p' runs them without asking.",
};

export const RESTART: NextStep = {
  code: 'claude.restart',
  text: 'Claude Code loads plugins when it starts: restart running sessions.',
};

export const PLUGIN: NextStep = {
  code: 'plugin.claude',
  text: "Claude Code: check it with 'claude plugin validate --strict', try it with 'claude --plugin-dir', or list it in a marketplace.",
};
