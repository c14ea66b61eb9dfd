import type { NextStep } from '../../messages/notes.ts';

export const RESTART: NextStep = {
  code: 'opencode.restart',
  text: 'OpenCode loads plugins when it starts: restart running sessions.',
};

export const INSTALLS: NextStep = {
  code: 'opencode.installs',
  text: 'With the first plugin, OpenCode itself installs @opencode-ai/plugin by npm beside it at its next start, and waits for that: start it once while you are online. Offline it may wait for a minute or longer.',
};
