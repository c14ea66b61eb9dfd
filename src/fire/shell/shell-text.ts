/** Deepest nesting read; the rest of a deeper line is ignored. */
export const DEEPEST = 50;

/** Reads the parts of a shell line that aren't plain words: quotes, substitutions, here-documents. */
export abstract class TextReader {
  protected readonly line: string;
  /** Offset of the next character. */
  protected at = 0;
  /** How many more times what looked like arithmetic is read again, so that no line takes quadratic time. */
  #rereads = DEEPEST;

  constructor(line: string) {
    this.line = line;
  }

  /** Reads the commands of a substitution up to its end. */
  protected abstract list(end: ')' | '`', depth: number): void;

  /** Reads up to the closing quote, or all when `close` is '', and returns the text. */
  protected doubleQuoted(depth: number, close = '"'): string {
    let text = '';
    while (this.at < this.line.length) {
      const c = this.line.charAt(this.at);
      if (c === close) {
        this.at++;
        break;
      }
      if (c === '\\') {
        const next = this.line.charAt(this.at + 1);
        this.at += 2;
        if (next !== '\n') text += '$`"\\'.includes(next) ? next : c + next;
      } else if (c === '`') {
        this.at++;
        this.list('`', depth + 1);
        text += '`';
      } else if (c === '$') text += this.dollar(depth, true);
      else {
        this.at++;
        text += c;
      }
    }
    return text;
  }

  /** Reads an expansion that begins with `$`. For a substitution, returns a mark that equals no word. */
  protected dollar(depth: number, inQuotes = false): string {
    const rest = this.line.slice(this.at + 1, this.at + 3);
    this.at++;
    if (rest === '((' && this.arithmetic()) return '$()';
    if (rest.startsWith('(')) {
      this.at++;
      this.list(')', depth + 1);
      return '$()';
    }
    if (rest.startsWith('{')) {
      this.at++;
      this.braces(depth + 1, inQuotes);
      return '${}';
    }
    // $'…' and $"…" are separate kinds of quotes.
    if (rest.startsWith("'") && !inQuotes) return this.ansiQuoted();
    return rest.startsWith('"') && !inQuotes ? '' : '$';
  }

  protected ansiQuoted(): string {
    let text = '';
    for (this.at++; this.at < this.line.length; this.at++) {
      const c = this.line.charAt(this.at);
      if (c === "'") break;
      if (c === '\\') this.at++;
      text += this.line.charAt(this.at);
    }
    this.at++;
    return text;
  }

  /**
   * Reads an expression from its `((` up to the brackets that close it. Returns false, and reads nothing, when these
   * are not closed together: then they are a subshell in a substitution or subshell.
   */
  protected arithmetic(): boolean {
    const from = this.at;
    let open = 2;
    for (this.at += 2; this.at < this.line.length && open > 0; ) {
      const c = this.line[this.at++];
      if (c === '(') open++;
      else if (c === ')' && --open === 1 && this.line[this.at] !== ')' && this.#rereads-- > 0) {
        this.at = from;
        return false;
      }
    }
    return true;
  }

  /** Reads up to the brace that closes `${`. */
  protected braces(depth: number, inQuotes: boolean): void {
    if (depth > DEEPEST) {
      this.at = this.line.length;
      return;
    }
    while (this.at < this.line.length) {
      const c = this.line.charAt(this.at);
      if (c === '\\') this.at += 2;
      else if (c === '$') this.dollar(depth, inQuotes);
      else {
        this.at++;
        if (c === '}') return;
        if (c === '"') this.doubleQuoted(depth);
        else if (c === '`') this.list('`', depth + 1);
        else if (c === "'" && !inQuotes) {
          const end = this.line.indexOf("'", this.at);
          this.at = end < 0 ? this.line.length : end + 1;
        }
      }
    }
  }

  /** Reads the body of a here-document and the line that ends it, and returns the body. */
  protected hereDocument(delimiter: string, tabs: boolean): string {
    const begin = this.at;
    while (this.at < this.line.length) {
      const newline = this.line.indexOf('\n', this.at);
      const next = newline < 0 ? this.line.length : newline;
      let from = this.at;
      if (tabs) while (this.line[from] === '\t') from++;
      const last = this.line[next - 1] === '\r' ? next - 1 : next;
      const isLast = [next, last].some(
        (to) => to - from === delimiter.length && this.line.startsWith(delimiter, from),
      );
      const end = this.at;
      this.at = next + 1;
      if (isLast) return this.line.slice(begin, end);
    }
    return this.line.slice(begin);
  }
}
