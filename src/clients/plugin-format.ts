import type { NextStep, NoteCode } from '../messages/notes.ts';
import type { OffSwitch } from './gates.ts';

/** How hooks are packed as a plugin of the client; paths are relative to the plugin's folder. */
export interface PluginFormat {
  /** Value of `--format`. */
  name: string;
  manifest: string;
  /** Members of the manifest besides name, version and description. */
  fields?: Readonly<Record<string, unknown>>;
  /** The file from which the client reads hooks by default. */
  hooks: string;
  /** When another client's hooks are in that file: the manifest's key that names a different file, and its path. */
  elsewhere?: { key: string; hooks: string };
  /** As in `Invocation`: a failed start blocks nothing, where a client blocks for it. */
  onFailure?: 'continue';
  /** The plugin's folder as one word of a hook's command, correct for any characters in the path. */
  root: string;
  nextSteps: readonly NextStep[];
  autoLoad?: AutoLoad;
}

/** A folder of the user's from which the client loads every plugin by itself. */
interface AutoLoad {
  /** Relative to the client's folder; each plugin has a folder, named like the plugin, in this one. */
  folder: string;
  /** The first client version that loads plugins from this folder. */
  since?: string;
  /** Returns the setting by which a person switches off the plugin of that name, and the command that undoes this. */
  off?: (name: string) => { switch: OffSwitch; undo: string };
  /** What the user should know before installing. */
  note?: NoteCode;
  nextSteps: readonly NextStep[];
}
