import type { NextStep } from '../../messages/notes.ts';

export const TRUST: NextStep = {
  code: 'codex.trust',
  text: "Codex runs new or changed hooks only after a review: start 'codex', trust the folder if it asks, then choose 'Trust all and continue' at 'Hooks need review', or use /hooks later.",
};

export const PROJECT_TRUST: NextStep = {
  code: 'codex.project',
  text: "Codex reads a project's hooks, also in subfolders, once each user has trusted the project; in a git worktree, those of the main checkout.",
};

export const PLUGIN: NextStep = {
  code: 'plugin.codex',
  text: "Codex: list it in a marketplace ('codex plugin marketplace add', 'codex plugin add'); its hooks run after each user has trusted them with /hooks.",
};
