import { DEEPEST, TextReader } from './shell-text.ts';

/** One command of a shell line, without redirections and assignments, with quotes and escapes resolved. */
export interface SimpleCommand {
  /**
   * The command's words, unquoted. A word that isn't in the line literally (`com\\mit`) begins with a NUL, so that it
   * equals no wanted word: the shell script, which searches the raw payload before it starts node, can't find it either.
   */
  words: string[];
  /** True when the command reads another command's output. */
  piped: boolean;
}

/** Grammar words after which a command begins. */
const BEFORE_COMMANDS = new Set('if then elif else do while until { } ! fi done esac coproc'.split(' '));
const BLANK = /[ \t\r]/;
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

/**
 * Returns the commands that a line for a POSIX shell or bash runs: those in lists, pipes, subshells and substitutions,
 * but none in quotes, comments or here-documents. Accepts any text and reads each character once. PowerShell lines
 * would need another reader.
 */
export function simpleCommands(line: string): SimpleCommand[] {
  return new Reader(line).read();
}

/** One list of commands, up to its end: end of line, `)` or a backquote. */
interface List {
  end: '' | ')' | '`';
  depth: number;
  /** Words of the command being read. */
  words: string[];
  word: string | undefined;
  /** Offset in the line at which `word` begins. */
  from: number;
  /** Offset in `word` of its first quote or escape; undefined when there is none. */
  quotedAt: number | undefined;
  piped: boolean;
  /** Set when the next word is a redirection's target or a here-document's delimiter. */
  redirect: 'target' | 'here' | 'here-tabs' | undefined;
  /**
   * What the words belong to: a command; nothing, up to the command's end (`for`); `case` up to `in`; a pattern; `[[`;
   * an array.
   */
  mode: 'command' | 'none' | 'case' | 'pattern' | 'test' | 'array';
  /** True when the next word is a function's name. */
  naming: boolean;
}

class Reader extends TextReader {
  readonly #found: SimpleCommand[] = [];
  /** Here-documents whose bodies begin on the next line. */
  readonly #pending: { delimiter: string; tabs: boolean; expands: boolean }[] = [];

  read(): SimpleCommand[] {
    this.list('', 0);
    return this.#found;
  }

  /** Reads the substitutions of a here-document's body. */
  readBody(depth: number): SimpleCommand[] {
    this.doubleQuoted(depth, '');
    return this.#found;
  }

  protected override list(
    end: List['end'],
    depth: number,
    piped = false,
    mode: List['mode'] = 'command',
  ): void {
    if (depth > DEEPEST) {
      this.at = this.line.length;
      return;
    }
    const list: List = {
      end,
      depth,
      words: [],
      word: undefined,
      from: 0,
      quotedAt: undefined,
      piped,
      redirect: undefined,
      mode,
      naming: false,
    };
    while (this.at < this.line.length) if (this.#step(list)) break;
    this.#endCommand(list, false);
  }

  /** Reads one piece of the line; returns true at the end of the list. */
  #step(list: List): boolean {
    const c = this.line.charAt(this.at);
    if (c === ')' && list.mode === 'pattern' && list.word === 'esac') this.#endWord(list);
    if (c === list.end && (c === '`' || list.mode !== 'pattern')) {
      this.at++;
      return true;
    }
    if (c === '\n') this.#lineEnd(list);
    else if (BLANK.test(c) || (list.mode === 'test' && ';&|<>()'.includes(c))) {
      this.#endWord(list);
      this.at++;
    } else if (c === '#' && list.word === undefined) {
      const end = this.line.indexOf('\n', this.at);
      this.at = end < 0 ? this.line.length : end;
    } else if (list.mode !== 'array' && ';&|()'.includes(c)) this.#operator(c, list);
    else if ('<>'.includes(c)) this.#redirection(c, list);
    else this.#part(c, list);
    return false;
  }

  #lineEnd(list: List): void {
    this.at++;
    this.#endWord(list);
    for (const { delimiter, tabs, expands } of this.#pending.splice(0)) {
      const body = this.hereDocument(delimiter, tabs);
      if (expands) for (const one of new Reader(body).readBody(list.depth + 1)) this.#found.push(one);
    }
    // After an operator, the command may begin on the next line.
    if (list.mode === 'command' || list.mode === 'none')
      this.#endCommand(list, list.words.length === 0 && list.piped);
  }

  #operator(c: string, list: List): void {
    const { word, words } = list;
    this.at++;
    if (c === '(') {
      if (this.line[this.at] === '(' && word === undefined && words.length === 0) {
        this.at--;
        if (this.arithmetic()) return;
        this.at++;
      }
      if (word?.endsWith('=') && ASSIGNMENT.test(word)) {
        this.list(')', list.depth + 1, false, 'array');
        return;
      }
      if (list.mode === 'pattern') return;
      // Also the empty one of `name ()`, which defines a function; its body is read as if it were run.
      if (word !== undefined || words.length > 0) this.#discard(list);
      this.list(')', list.depth + 1, list.piped);
      return;
    }
    if (c === ')') {
      // The bracket closes a pattern of `case`, or nothing.
      this.#discard(list);
      list.mode = 'command';
      return;
    }
    if (list.mode === 'pattern') {
      this.#discard(list);
      return;
    }
    if (c === '&' && this.line[this.at] === '>') {
      this.#endWord(list);
      this.at += this.line[this.at + 1] === '>' ? 2 : 1;
      list.redirect = 'target';
      return;
    }
    const next = this.line[this.at];
    const twice = next === c;
    if (twice || (c === '|' && next === '&') || (c === ';' && next === '&')) this.at++;
    if (c === ';' && twice && this.line[this.at] === '&') this.at++;
    const inCase = c === ';' && (twice || next === '&');
    this.#endCommand(list, c === '|' && !twice);
    if (inCase) list.mode = 'pattern';
  }

  #redirection(c: string, list: List): void {
    const { word } = list;
    if (this.line[this.at + 1] === '(') {
      if (word === undefined) list.from = this.at;
      this.at += 2;
      this.list(')', list.depth + 1);
      list.word = `${list.word ?? ''}${c}()`;
      list.quotedAt ??= 0;
      return;
    }
    // A number directly before the operator is a file descriptor.
    if (word !== undefined && list.quotedAt === undefined && /^\d+$/.test(word)) list.word = undefined;
    this.#endWord(list);
    const operator =
      /^(?:<<<|<<-|<<|<>|<&|<|>>|>&|>\||>)/.exec(this.line.slice(this.at, this.at + 3))?.[0] ?? c;
    this.at += operator.length;
    list.redirect = operator === '<<' ? 'here' : operator === '<<-' ? 'here-tabs' : 'target';
  }

  /** Reads a part of a word: quoted, escaped, substituted or plain. */
  #part(c: string, list: List): void {
    const at = this.at;
    if (list.word === undefined) list.from = at;
    const add = (text: string, isQuoted = true): void => {
      if (isQuoted) list.quotedAt ??= list.word?.length ?? 0;
      list.word = (list.word ?? '') + text;
    };
    if (c === '\\') {
      this.at = at + 2;
      if (this.line[at + 1] === '\r' && this.line[at + 2] === '\n') this.at = at + 3;
      else if (this.line[at + 1] !== '\n') add(this.line.charAt(at + 1));
    } else if (c === "'") {
      const end = this.line.indexOf("'", at + 1);
      const to = end < 0 ? this.line.length : end;
      add(this.line.slice(at + 1, to));
      this.at = to + 1;
    } else if (c === '"') {
      this.at++;
      add(this.doubleQuoted(list.depth));
    } else if (c === '`') {
      this.at++;
      this.list('`', list.depth + 1);
      add('`');
    } else if (c === '$') add(this.dollar(list.depth));
    else {
      let end = at + 1;
      while (end < this.line.length && !/[\s;&|<>()\\'"`$]/.test(this.line.charAt(end))) end++;
      add(this.line.slice(at, end), false);
      this.at = end;
    }
  }

  #endWord(list: List): void {
    const { word, quotedAt, redirect } = list;
    if (word === undefined) return;
    list.word = undefined;
    list.quotedAt = undefined;
    list.redirect = undefined;
    if (redirect === 'here' || redirect === 'here-tabs') {
      this.#pending.push({
        delimiter: word,
        tabs: redirect === 'here-tabs',
        expands: quotedAt === undefined,
      });
      return;
    }
    if (redirect || list.mode === 'none' || list.mode === 'array') return;
    const plain = quotedAt === undefined;
    if (list.mode === 'test') {
      if (plain && word === ']]') list.mode = 'command';
      return;
    }
    if (list.mode === 'case') {
      if (plain && word === 'in') list.mode = 'pattern';
      return;
    }
    if (list.mode === 'pattern') {
      if (plain && word === 'esac') list.mode = 'command';
      return;
    }
    if (list.words.length === 0 && this.#isGrammar(word, quotedAt, list)) return;
    const isRaw = this.line.slice(list.from, this.at).includes(word);
    list.words.push(isRaw ? word : `\0${word}`);
  }

  /** True when a command's first word belongs to the grammar, or is an assignment. */
  #isGrammar(word: string, quotedAt: number | undefined, list: List): boolean {
    if (list.naming) {
      list.naming = false;
      return true;
    }
    const assigned = ASSIGNMENT.exec(word)?.[0].length;
    if (assigned !== undefined) return quotedAt === undefined || quotedAt >= assigned;
    if (quotedAt !== undefined) return false;
    if (word === 'for' || word === 'select') list.mode = 'none';
    else if (word === 'case') list.mode = 'case';
    else if (word === '[[') list.mode = 'test';
    else if (word === 'function') list.naming = true;
    else return BEFORE_COMMANDS.has(word);
    return true;
  }

  #discard(list: List): void {
    this.#endWord(list);
    list.words = [];
  }

  #endCommand(list: List, piped: boolean): void {
    this.#endWord(list);
    if (list.words.length > 0) this.#found.push({ words: list.words, piped: list.piped });
    list.words = [];
    list.piped = piped;
    list.redirect = undefined;
    if (list.mode === 'none') list.mode = 'command';
  }
}
