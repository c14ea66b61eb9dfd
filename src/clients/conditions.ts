import type { Source, ToolKind } from '../declarations/when.ts';

/** What a client's payloads tell that conditions (`when`) ask for. Tools are named as the client names them. */
export interface Conditions {
  /** Of each native event of post_tool_use: how it tells whether the tool failed. */
  outcome: Readonly<Record<string, OutcomeRule>>;
  /** Tools that run a shell command, and the field of their input that holds it. */
  shell: Readonly<Record<string, string>>;
  /** Tools that touch files, and where their input names them. */
  files: Readonly<Record<string, FileFields>>;
  /** Tools that search or edit, besides those that run a shell command. */
  kinds: Readonly<Record<ToolKind, readonly string[]>>;
  source: SourceField;
}

/**
 * `failure`: the event fires for failed tools alone; `success`: for others alone; else its payloads tell by signs.
 * `onlySuccess`: but for tools of which nothing tells, it fires for none that failed.
 */
export type OutcomeRule = 'success' | 'failure' | { signs: readonly OutcomeSign[]; onlySuccess?: true };

/** The first sign that is for the tool decides; without one, the tool succeeded. */
interface OutcomeSign {
  /** Names of tools; absent: it is for every tool whose payload has something at `path`. */
  tools?: readonly string[];
  /** Payload path; absent: nothing tells. */
  path?: string;
  /** Source of a regular expression that the text at `path` fits when the tool failed; absent: anything but false there. */
  failed?: string;
  /** Source of one that the text fits when it tells at all; absent: always. */
  known?: string;
  /** Of these one stands in every payload of a tool that failed by this sign, for the shell to look for. */
  holds?: readonly string[];
}

/** Fields with a path each, or one with a patch in the form of Codex's apply_patch. */
export type FileFields = { paths: readonly string[] } | { patch: string };

/** How a session began, as the native event `native` says it. */
interface SourceField {
  native: string;
  path: string;
  /** The client's own word -> ours. */
  words: Readonly<Record<string, Source>>;
}
