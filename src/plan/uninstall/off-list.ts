import type { Client } from '../../clients/client.ts';
import { NATIVE_NAME } from '../../clients/names.ts';
import { removeStrings } from '../../edit/json/strings.ts';
import type { RemovalPlace } from './removal-places.ts';

/** True when a file may contain names of the server's handlers in the client's list of switched-off hooks. */
export const mayHaveOffNames = (bytes: Uint8Array, client: Client, slug: string): boolean =>
  client.gates.offList !== undefined && Buffer.from(bytes).includes(offName(client, slug));

/** Prefix of the names of one server's handlers. */
function offName(client: Client, slug: string): string {
  return String(client.hooks.fields?.(`${slug}:`, '').name);
}

/** Returns the text without our names in the client's list of switched-off hooks. */
export function withoutOffNames(client: Client, slug: string, place: RemovalPlace, text: string): string {
  if (!client.gates.offList) return text;
  const begin = offName(client, slug);
  // Names may end in `-2` and so on: earlier versions split long texts over several entries.
  const ours = (name: string): boolean =>
    name.startsWith(begin) && new RegExp(`^${NATIVE_NAME}(-\\d+)?$`).test(name.slice(begin.length));
  const source = { file: place.file, text, comments: place.format === 'jsonc' };
  return removeStrings(source, client.gates.offList.path, ours);
}
