import type { Env } from '../base/paths.ts';

/** True when `MCPHOOKS_DISABLE` disables the hooks of all servers, or of the named one. A name may have commas. */
export function isDisabledByVariable({ MCPHOOKS_DISABLE: value = '' }: Env, server?: string): boolean {
  const names = [value, ...value.split(',').map((name) => name.trim())];
  return names.includes('1') || (server !== undefined && names.includes(server));
}
