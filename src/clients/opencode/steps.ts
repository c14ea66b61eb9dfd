import type { NextStep } from '../../messages/notes.ts';

export const RESTART: NextStep = {
  code: 'opencode.restart',
  text: 'OpenCode loads plugins when it starts: restart running sessions.',
};

export const INSTALLS: NextStep = {
  code: 'opencode.installs',
  text: 'At its next start with a first plugin, OpenCode installs @opencode-ai/plugin with npm and waits for that: start it once while you are online. Offline, it may wait for a minute or longer.',
};
