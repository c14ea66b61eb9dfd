import { parseEnv } from 'node:util';
import { quietly } from '../../base/quietly.ts';
import { readText } from '../../base/read-file.ts';

/** Returns the variables in a file of lines `NAME=value`; none when the file can't be read. */
export const fileVariables = (file: string): Record<string, string> =>
  quietly(() => parseEnv(readText(file)) as Record<string, string>) ?? {};
