import type { NextStep, NoteCode } from '../messages/notes.ts';
import type { OffSwitch } from './gates.ts';

/** How hooks are packed for the client's own channels; paths are relative to the plugin's folder. */
export interface PluginFormat {
  /** Value of `--format`. */
  name: string;
  manifest: string;
  /** Of the manifest, besides name, version and description. */
  fields?: Readonly<Record<string, unknown>>;
  /** The file of hooks that the client reads without being told. */
  hooks: string;
  /** Where another client's hooks are in that file: the manifest's key that names another one, and its path. */
  elsewhere?: { key: string; hooks: string };
  /** The plugin's folder as a word of a hook's command: the same whatever stands in the path. */
  root: string;
  nextSteps: readonly NextStep[];
  autoLoad?: AutoLoad;
}

/** A folder of the user's from which the client loads every plugin by itself. */
interface AutoLoad {
  /** Relative to the client's folder; each plugin has a folder of its own name in it. */
  folder: string;
  /** The first version that does. */
  since?: string;
  /** Where a person switches a plugin off, by its name, and the command that takes it back. */
  off?: (name: string) => { switch: OffSwitch; undo: string };
  /** What a user should know before. */
  note?: NoteCode;
  nextSteps: readonly NextStep[];
}
