import { join } from 'node:path';

/**
 * Short and safe as a file name, whatever went in: two lanes of FNV-1a. Nothing rests on it but that names differ,
 * and loading node:crypto would cost a tenth of a fire.
 */
export function hashOf(...parts: string[]): string {
  const text = JSON.stringify(parts);
  let [a, b] = [0x811c9dc5, 0x050c5d1f];
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(text.length - 1 - i), 0x01000193) ^ (a >>> 15);
  }
  return [a, b].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Folder of what is remembered of one server on one client: of all its sessions, and of text kept. */
export function sessionsFolder(state: string, client: string, server: string): string {
  return join(state, 'sessions', hashOf(client, server));
}

/** Where text of one server is kept on one client. The shell looks whether anything is in it (templates/shim.sh). */
export function keptFolder(state: string, client: string, server: string): string {
  return join(state, 'kept', hashOf(client, server));
}
