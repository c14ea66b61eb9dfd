import type { Invocation, PosixForm, WindowsForm } from '../clients/hook-config.ts';
import { shellQuote, shellUnquote } from './script.ts';

/** How one shell, or none, starts a hook script. */
export interface Form {
  /** Returns the invocation of these words: a program and its arguments. */
  invoke: (words: readonly string[]) => Invocation;
  /** Returns the last word, unquoted, from the signature of an entry in this form. */
  lastWord: (signature: string) => string | undefined;
  /** Characters that quoting in this form can't protect; absent: only NUL. */
  forbidden?: RegExp;
}

/** JavaScript that runs a script and ignores its absence. */
const QUIETLY = 'try{require(process.argv[1])}catch{}';

/** By name of a form (`hooks.posix`, `hooks.windows.form`): how it is written and read. */
export const INVOCATION_FORMS: Record<PosixForm | WindowsForm, Form> = {
  // The shell reads the shim itself, since starting another shell takes a third of the time of a fire without a text.
  // dash ends with 2 for a truncated file, which the trap handles; zsh and posh end with 1 for a missing file before
  // any trap. Commands of earlier builds lack the check for the file, or have its path in a variable, which Gemini CLI
  // replaces.
  read: {
    invoke: ([shim = '']) => ({
      command: `trap 'exit 0' EXIT; set -- ${shellQuote(shim)}; [ ! -f "$@" ] || . "$@" 2>/dev/null`,
    }),
    lastWord: (command) =>
      shellUnquote(
        /^trap 'exit 0' EXIT; (?:\. ('.*') 2>\/dev\/null|shim=('.*'); \[ ! -f "\$shim" \] \|\| \. "\$shim" 2>\/dev\/null|set -- ('.*'); \[ ! -f "\$@" \] \|\| \. "\$@" 2>\/dev\/null)$/s
          .exec(command)
          ?.slice(1)
          .find((path) => path !== undefined),
      ),
  },
  run: {
    invoke: ([shim = '']) => ({ command: `${shellQuote(shim)} 2>/dev/null || exit 0` }),
    lastWord: (command) => shellUnquote(/^('.*') 2>\/dev\/null \|\| exit 0$/s.exec(command)?.[1]),
  },
  braces: {
    invoke: ([shim = '']) => ({ command: `{ ${shellQuote(shim)} 2>/dev/null || exit 0; }` }),
    lastWord: (command) => shellUnquote(/^\{ ('.*') 2>\/dev\/null \|\| exit 0; \}$/s.exec(command)?.[1]),
  },
  file: {
    invoke: ([shim = '']) => ({ command: '/bin/sh', args: [shim] }),
    lastWord: (signature) => /^\/bin\/sh\0(\/[^\0]*)$/.exec(signature)?.[1],
  },
  exec: {
    invoke: ([node = '', shim = '']) => ({ command: node, args: ['-e', QUIETLY, shim] }),
    lastWord: (signature) => {
      const [node = '', shim] = signature.split(`\0-e\0${QUIETLY}\0`);
      return /^(?:[A-Za-z]:|\\)[\\/][^\0]*$/.test(node) ? shim : undefined;
    },
  },
  // cmd, POSIX shells and PowerShell behind its `&` read this form alike. Commands of early builds lack the part that
  // ignores a missing script.
  cmd: {
    invoke: ([node = '', shim = '']) => ({ command: `"${node}" "-e" "${QUIETLY}" "${shim}"` }),
    lastWord: (command) => {
      const [, code = QUIETLY, path] = /^"[^"]*" (?:"-e" "([^"]*)" )?"([^"]*)"$/.exec(command) ?? [];
      return code === QUIETLY ? path : undefined;
    },
    forbidden: /["%!$`\0\r\n]|\\$/,
  },
  // Windows PowerShell takes no `||`, and loses `"` on the way to a program; it treats typographic quotes as quotes. Some
  // clients show what a hook writes to stderr, so a missing node is caught, and a missing script ignored. Commands of early
  // builds are without that.
  powershell: {
    invoke: ([node = '', shim = '']) => ({
      command: `try { & ${[node, '-e', QUIETLY, shim].map(powershellQuote).join(' ')} } catch {}; exit 0`,
    }),
    lastWord: (command) =>
      /^(?:& '(?:[^']|'')*' |try \{ & '(?:[^']|'')*' '-e' 'try\{require\(process\.argv\[1\]\)\}catch\{\}' )'((?:[^'\u2018-\u201b]|(['\u2018-\u201b])\2)*)'(?: \} catch \{\})?; exit 0$/
        .exec(command)?.[1]
        ?.replace(/(['\u2018-\u201b])\1/g, '$1'),
    forbidden: /[\0\r\n]/,
  },
};

function powershellQuote(word: string): string {
  return `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}
