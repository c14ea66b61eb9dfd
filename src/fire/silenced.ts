import type { Env } from '../base/paths.ts';

/** True when `MCPHOOKS_DISABLE` disables the hooks of a server, or of all servers. A server's name may have commas. */
export function isSilenced({ MCPHOOKS_DISABLE: value = '' }: Env, server = '1'): boolean {
  const names = [value, ...value.split(',').map((name) => name.trim())];
  return names.includes('1') || names.includes(server);
}
