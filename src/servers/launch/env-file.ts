import { parseEnv } from 'node:util';
import { readText } from '../../base/read-file.ts';

/** Returns the variables in a file of lines `NAME=value`; none when the file can't be read. */
export function fileVariables(file: string): Record<string, string> {
  try {
    return parseEnv(readText(file)) as Record<string, string>;
  } catch {
    return {};
  }
}
