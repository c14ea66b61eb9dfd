import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import type { FireData, FireHook, JointData } from '../../src/fire/format.ts';
import { machineShims, type OwnFile, sharedShims } from '../../src/shims/own-files.ts';
import { loadRuntime } from '../../src/shims/runtime.ts';
import { shapeOf } from '../fire/shapes.ts';
import { start } from './run.ts';

export const CLIENT = 'gemini-cli';
export const NATIVE = 'AfterTool';

/** A server with hooks at the event. */
export interface Server {
  name: string;
  hooks: Partial<FireHook>[];
  data?: Partial<FireData>;
}

export interface Joint extends Partial<JointData> {
  /** Folder of the project whose entry it is; absent: the user's. */
  project?: string;
  /** What its scripts start. */
  node?: string;
}

/** A throwaway home in which scripts that serve several servers are installed and fired. */
export function scripts() {
  const base = mkdtempSync(join(realpathSync(tmpdir()), 'mcphooks-joint-'));
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  let count = 0;
  /** A home of its own for each. */
  const home = () => {
    const folder = join(base, `home${count++}`);
    const project = join(folder, 'work/shop');
    mkdirSync(join(project, '.git'), { recursive: true });
    return { folder, project };
  };
  return { base, home };
}

/** Installs these servers at the event; returns the path of the script that serves all of them. */
export function install(
  home: string,
  servers: readonly Server[],
  { project, node = process.execPath, ...more }: Joint = {},
): string {
  const paths = {
    config: home,
    data: project === undefined ? join(home, '.local/share/mcphooks') : join(project, '.mcphooks'),
    state: join(home, '.local/state/mcphooks'),
  };
  const joint: JointData = {
    format: 1,
    client: CLIENT,
    native: NATIVE,
    unit: 'code-points',
    ...(project === undefined && { state: paths.state }),
    role: { scope: project === undefined ? 'user' : 'project' },
    ...more,
  };
  for (const [i, { name, hooks, data }] of servers.entries()) {
    const folder = join(paths.data, 'hooks', name, `${i}`.padStart(16, '0'), CLIENT);
    const shim = {
      native: NATIVE,
      seconds: 8,
      data: {
        format: 1 as const,
        server: name,
        client: CLIENT,
        native: NATIVE,
        ...(project === undefined && { tag: `7f3ac2e${i}`, state: paths.state }),
        ...(more.output && { output: more.output }),
        ...(more.silent && { silent: more.silent }),
        deadlineMs: 7000,
        unit: joint.unit,
        eventBudget: 10_000,
        sessionBudget: 50_000,
        ...data,
        payload: { ...shapeOf(CLIENT, NATIVE), keepIf: undefined, ...data?.payload } as FireData['payload'],
        hooks: hooks.map((hook, n) => ({
          n: n + 1,
          event: 'post_tool_use' as const,
          priority: 'suggestion' as const,
          does: 'emit' as const,
          ...hook,
        })),
      },
      joint,
    };
    const system = { platform: 'linux', node };
    const files =
      project === undefined
        ? machineShims({ shims: [shim], folder, slug: name, runtime: loadRuntime() }, paths, system)
        : sharedShims({ shims: [shim], folder, slug: name, runtime: loadRuntime() }, paths);
    write(files);
  }
  return join(paths.data, 'joint', CLIENT, NATIVE);
}

function write(files: readonly OwnFile[]): void {
  for (const { path, text, mode } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
  }
}

export const logged = (home: string): string => {
  try {
    return readFileSync(join(home, '.local/state/mcphooks/hooks.log'), 'utf8');
  } catch {
    return '';
  }
};

export { start };
