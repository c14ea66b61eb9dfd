import { join } from 'node:path';

/** Variables that make `home` the user's home for a program. Windows doesn't read HOME. */
export const homeEnv = (home) => ({
  HOME: home,
  USERPROFILE: home,
  APPDATA: join(home, 'AppData', 'Roaming'),
  LOCALAPPDATA: join(home, 'AppData', 'Local'),
});
