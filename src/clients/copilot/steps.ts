import type { NextStep, OwnWords } from '../../messages/notes.ts';

export const RESTART: NextStep = {
  code: 'copilot.restart',
  text: 'Copilot CLI reads hooks when a session starts: restart running sessions, or /clear.',
};

export const PROJECT_TRUST: NextStep = {
  code: 'copilot.project',
  text: "Copilot CLI reads a project's hooks, also in subfolders, once each user has trusted the folder; 'copilot -p' needs --trust-folder or GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true if nobody has.",
};

export const PLUGIN: NextStep = {
  code: 'plugin.copilot',
  text: "Copilot CLI: try it with 'copilot --plugin-dir', or list it in a marketplace ('copilot plugin marketplace add', 'copilot plugin install').",
};

export const VS_CODE_LATE: OwnWords = {
  code: 'copilot.vs-code',
  text: "VS Code's own agent reads the same file; it gives the text late, and not after a failed call (read in its source, untested)",
};
