import type { NextStep } from '../../messages/notes.ts';

export const TRUST: NextStep = {
  code: 'droid.trust',
  text: "At a terminal, Droid runs hooks only in folders that you trust: it asks when it starts. 'droid exec' runs them everywhere.",
};

export const PROJECT: NextStep = {
  code: 'droid.project',
  text: "Droid reads a project's hooks, also in subfolders; 'droid exec' runs them without asking.",
};

export const PLUGIN: NextStep = {
  code: 'plugin.droid',
  text: "Droid: list it in a marketplace ('droid plugin marketplace add', 'droid plugin install').",
};
