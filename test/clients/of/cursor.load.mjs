#!/usr/bin/env node
/**
 * Loads hooks as Cursor does: `node cursor.load.mjs <folder of @cursor/sdk>`, with [{ home, project }] on stdin. Prints
 * [{ errors, user, project, claude }]: messages, and the hooks of the user's file, the project's, and the user's file of
 * Claude Code, by step.
 */
import { readFileSync } from 'node:fs';
import { loadRuntime } from './cursor.runtime.mjs';

const places = JSON.parse(readFileSync(0, 'utf8'));
const { factory } = await loadRuntime(process.argv[2]);
const loaded = [];
for (const { home, project } of places) {
  process.env.HOME = home;
  const { hooksConfig } = await factory().createHooksRuntime({
    workspaceState: { projectRoot: project, workspaceRoots: [project], workingDirectory: project },
  });
  const { errors, userHooks, projectHooks, claudeUserHooks } = hooksConfig;
  loaded.push({
    errors: errors.map(({ message }) => message),
    user: userHooks?.hooks,
    project: projectHooks?.hooks,
    claude: claudeUserHooks?.hooks,
  });
}
// The runtime itself writes warnings to stdout.
process.stdout.write(`\n${JSON.stringify(loaded)}\n`, () => process.exit(0));
