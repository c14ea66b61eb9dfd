/**
 * Names of a session's markers: files in its folder (`Session`). The files named below are of `fire` and `templates`.
 * Of the session itself are those of turns, prompts and tools; of who reads the texts (`Firing.reader`) are `spent`,
 * `started` and `cooldown`. templates/shim.sh reads and writes the same files, so a name never changes.
 *
 * The start of a session has four names: the step `start-session` sets `armed`, removes `started.<mark>`, and reports
 * `noted.start` as why it prints nothing.
 */
export type Marker =
  /** Units of text printed: session.ts and `spend` of the shell add lines and read them. */
  | 'spent'
  /** The session had a turn: the step `mark-turn` sets it; `defer` reads it at the session's end, and removes it. */
  | 'turn'
  /** How the session started, if known: the step `start-session` sets it; conditions.ts and continuation.ts read it. */
  | 'armed'
  /**
   * What the last turn's end told (`PayloadShape.turnEnd`): run-hooks.ts sets it, the step `start-session` removes it,
   * continuation.ts reads it; where it exists, `spend` of the shell leaves a fire to Node.
   */
  | 'ended'
  /** Id of the last prompt (`PayloadShape.oncePer`): run-hooks.ts and the shell set it; skip.ts and `answered` read it. */
  | 'once'
  /**
   * The hook with this mark (`markOf`) gave its text since the session started (`FireHook.at`): a text's mark (marks.ts);
   * the step `start-session` and `undoTurn` of session.ts remove it, too.
   */
  | `started.${string}`
  /**
   * The hook with this mark rests: a text's mark (marks.ts); `undoTurn` of session.ts removes it, too; `muted` of the
   * shell and log.sh read it.
   */
  | `cooldown.${string}`
  /**
   * One of the server's own tools was called, which silences the hook with this mark: the step `note-call` and
   * `note_call` of the shell set it; conditions.ts, `muted` and log.sh read it.
   */
  | `called.${string}`
  /** Failed calls of a tool (by its hash) in a row: tool-text.ts counts, reads and removes them. */
  | `failed.${string}`
  /** The tool (by its hash) answered in this session: tool-state.ts sets and reads it. */
  | `gave.${string}`;

/** Returns what names a hook's marks of starts, rest and calls, and its kept texts. */
export const markOf = ({ mark, n }: { mark?: string | undefined; n: number }): string => mark ?? `${n}`;
