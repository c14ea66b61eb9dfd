/** A command without the words that only start it. */
interface Unwrapped {
  words: readonly string[];
  /** Variables that the leading words set. */
  env: Record<string, string>;
  /** False when the leading words may start something else than `words`. */
  plain: boolean;
}

/** Returns the name of a program, without its folders and, as on Windows, its extension. */
export const programName = (program: string): string =>
  (program.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd|bat|ps1)$/, '');

/** True for a bare name, which is looked up on PATH, and for an absolute path. */
export const isBareOrAbsolute = (program: string): boolean =>
  !/[\\/]/.test(program) || /^(?:\/|[a-z]:[\\/]|\\\\)/i.test(program);

/** Characters by which cmd.exe starts more than one program, or puts in a variable. */
const CMD_SYNTAX = /[&|<>^%!"\r\n]/;

/** Removes leading `cmd /c` and `env` words, repeatedly. */
export function unwrap(all: readonly string[]): Unwrapped {
  let words = all;
  let plain = true;
  const env: Record<string, string> = {};
  for (;;) {
    const name = programName(words[0] ?? '');
    if (name !== 'cmd' && name !== 'env') return { words, env, plain };
    plain &&= isBareOrAbsolute(words[0] ?? '');
    if (name === 'cmd') {
      const c = words.findIndex((word) => /^\/[ck]$/i.test(word));
      const switches = words.slice(1, c + 1);
      if (c < 0 || switches.some((word) => !word.startsWith('/'))) return { words, env, plain };
      const rest = words.slice(c + 1);
      plain &&= switches.every((word) => /^\/[cdsq]$/i.test(word));
      plain &&= !rest.some((word) => CMD_SYNTAX.test(word));
      words = rest.length === 1 ? (rest[0] ?? '').split(/\s+/).filter(Boolean) : rest;
    } else {
      let i = 1;
      for (; i < words.length; i++) {
        const word = words[i] ?? '';
        const [, variable, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
        if (variable !== undefined) env[variable] = value;
        else if (/^(?:-[uC]|--unset|--chdir)$/.test(word)) i++;
        else if (word === '--' || !word.startsWith('-')) break;
        plain &&= variable !== undefined || /^(?:-|-i|--ignore-environment|-u|--unset(?:=.*)?)$/.test(word);
      }
      words = words.slice(words[i] === '--' ? i + 1 : i);
    }
  }
}
