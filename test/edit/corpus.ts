import { readdirSync, readFileSync } from 'node:fs';
import { KINDS, type Kind } from './helpers.ts';

const root = new URL('../corpus/', import.meta.url);

/** A real-looking file of a client, and how that client reads it. */
export interface Sample {
  name: string;
  kind: Kind;
  text: string;
}

function kindOf(client: string, file: string): Kind {
  if (client === 'claude') return KINDS.claude;
  if (client === 'gemini') return KINDS.gemini;
  if (client === 'copilot') return KINDS.copilot;
  if (client === 'cursor') return KINDS.cursor;
  if (client === 'qwen') return KINDS.qwen;
  return file.endsWith('.toml') ? KINDS['codex-toml'] : KINDS['codex-json'];
}

const CLIENTS = ['claude', 'codex', 'copilot', 'cursor', 'gemini', 'qwen'];

/** @param folder '' for files that a client reads, 'refused/' for files that are left alone */
export function samples(folder: '' | 'refused/'): Sample[] {
  return CLIENTS.flatMap((client) =>
    readdirSync(new URL(`${folder}${client}/`, root)).map((file) => ({
      name: `${client}/${file}`,
      kind: kindOf(client, file),
      text: readFileSync(new URL(`${folder}${client}/${file}`, root), 'utf8'),
    })),
  );
}
