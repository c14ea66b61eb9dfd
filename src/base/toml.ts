import { parse } from 'smol-toml';

type TomlTable = Record<string, unknown>;

/** Cache of the last few texts, since a command reads the same files several times. Values are never modified. */
const values = new Map<string, TomlTable>();

/** Parses a TOML text as Codex 0.169.0 does (TOML 1.1). Throws smol-toml's `TomlError`. */
export function tomlTable(text: string): TomlTable {
  const known = values.get(text);
  if (known) return known;
  const value: TomlTable = parse(text, { integersAsBigInt: 'asNeeded' });
  if (values.size >= 4) values.clear();
  values.set(text, value);
  return value;
}
