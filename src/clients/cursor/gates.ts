import type { Gates } from '../gates.ts';

// No setting of a file switches hooks off, and the SDK asks for no trust of folders (1.0.32). Whether the editor's
// trust of workspaces holds back a project's hooks is unknown.
export const gates: Gates = { switches: [] };
