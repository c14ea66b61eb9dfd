import { parse } from 'smol-toml';

type Table = Record<string, unknown>;

/** Of the latest few texts: a command reads the same files several times. Nothing changes a value. */
const values = new Map<string, Table>();

/** The value of a TOML text, as Codex 0.169.0 reads it (TOML 1.1). Throws smol-toml's `TomlError`. */
export function tomlTable(text: string): Table {
  const known = values.get(text);
  if (known) return known;
  const value: Table = parse(text, { integersAsBigInt: 'asNeeded' });
  if (values.size >= 4) values.clear();
  values.set(text, value);
  return value;
}
