import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/clients/client.ts';
import { ANY_SLUG, existingFiles } from '../../src/clients/hook-files.ts';
import { clientById } from '../../src/clients/index.ts';
import { PROJECT } from '../../src/clients/mcp-config.ts';
import { documentFor } from '../../src/fire/text/render.ts';
import { outcomeOf } from '../../src/fire/when/outcome.ts';
import { distrust, folderDistrust } from '../../src/inspect/trust.ts';
import { lazyClientPlan } from '../../src/plan/client/client-plan.ts';
import { editPlace } from '../../src/plan/client/hook-file.ts';
import { filesOf } from '../files.ts';
import { HOME, inputFor } from '../plan/golden.ts';

const DECLARATIONS = [
  { event: 'post_tool_use', matcher: { tool_server: 'notebook' }, context: 'Noted.', priority: 'suggestion' },
  { event: 'post_tool_use', matcher: { tool_name: 'Bash' }, context: 'Ran.', priority: 'suggestion' },
] as const;

const claude = clientById('claude-code');

/** A client that does all in another way than the three: what the type can say is what is done. */
const invented: Client = {
  ...claude,
  home: { envSub: '', home: '.invented' },
  hooks: {
    ...claude.hooks,
    user: [
      {
        path: `hooks/mcphooks-${ANY_SLUG}.json`,
        format: 'json',
        accepts: { bom: false, emptyFile: false },
        oursAlone: true,
        layout: 'flat',
        frame: { version: 1 },
      },
    ],
    timeout: { key: 'timeoutSec', unit: 's' },
    posix: 'braces',
  },
  protocol: {
    input: {
      session: ['sessionId', 'session_id'],
      toolName: ['toolName', 'tool_name'],
      toolInput: ['toolArgs', 'tool_input'],
      event: 'hook_event_name',
    },
    output: {
      text: ['additionalContext', 'hookSpecificOutput.additionalContext'],
      fixed: { quiet: true, 'hookSpecificOutput.hookEventName': '{event}' },
    },
  },
  events: {
    ...claude.events,
    post_tool_use: {
      fidelity: 'native',
      moment: 'result',
      wiring: [{ native: 'postToolUse', does: 'emit' }],
    },
  },
  natives: { postToolUse: { outputName: 'PostToolUse', matchesTools: true, skipUnless: 'turn' } },
  tools: {
    names: { Bash: ['bash'] },
    mcp: { name: '{alias}-{tool}', spell: (name) => name.replace(/[^A-Za-z0-9_-]/g, '-') },
    payload: {},
  },
};

describe('a client unlike the others', () => {
  const input = inputFor(
    { declarations: [...DECLARATIONS], aliases: ['notebook', 'my files'] },
    'claude-code',
  );
  const file = `${HOME}/.invented/hooks/mcphooks-notebook.json`;
  const planned = lazyClientPlan(invented, input, undefined, {});
  const { comparison, changes, write } = planned;
  const text = String(changes[0]?.after);

  it('gets a file of its own, laid out as it wants it', () => {
    expect(changes.map(({ path, mode }) => [path, mode])).toEqual([[file, 0o600]]);
    expect(JSON.parse(text)).toEqual({
      version: 1,
      hooks: {
        postToolUse: [
          {
            type: 'command',
            command: expect.stringMatching(
              /^\{ '.*\/claude-code\/postToolUse' 2>\/dev\/null \|\| exit 0; \}$/,
            ),
            timeoutSec: 10,
            matcher: '^(bash|notebook-.*)$',
          },
        ],
      },
    });
  });

  it('is told to its hook script by data alone', () => {
    const own = write().own.map(({ path, after }) => [path.split('/').at(-1), String(after)] as const);
    const data = JSON.parse(own.find(([name]) => name === 'postToolUse.json')?.[1] ?? '');
    expect(data).toMatchObject({
      native: 'postToolUse',
      payload: {
        session: ['sessionId', 'session_id'],
        toolName: ['toolName', 'tool_name'],
        skipUnless: 'turn',
        names: { bash: ['Bash'] },
        prefixes: [
          ['my-files-', 'my files'],
          ['notebook-', 'notebook'],
        ],
      },
    });
    expect(documentFor(data.output, 'T')).toBe(
      '{"quiet":true,"additionalContext":"T","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"T"}}',
    );
    const script = own.find(([name]) => name === 'postToolUse')?.[1] ?? '';
    expect(script).toContain('for m in sessionId session_id; do');
    expect(script).toContain(`'{"'*'"}}')`);
    expect(script).toContain(`case '' in ?*)`);
  });

  it('is found by its name, and goes whole with the last entry', () => {
    const files = filesOf({ [file]: text, [`${HOME}/.invented/hooks/mcphooks-No.json`]: '{}' });
    const [place] = input.scope.hookFiles(invented, ANY_SLUG).flatMap((any) => existingFiles(any, files));
    expect(place).toMatchObject({ path: 'hooks/mcphooks-notebook.json', file });
    if (!place) return;
    const again = lazyClientPlan(invented, { ...input, files }, undefined, planned.memories);
    expect(again.comparison.entryChanges.map(({ kind }) => kind)).toEqual(['unchanged']);
    const gone = editPlace(
      { client: invented, slug: 'notebook', scope: input.scope, files, kept: [], ofOthers: [] },
      { place, written: comparison, memories: {} },
    );
    expect(gone.change).toMatchObject({ path: file, after: null });
  });
});

it.each([
  [{ ok: true }, 'success'],
  [{ ok: false }, 'failure'],
  [{}, undefined],
] as const)('a flag tells that a tool succeeded: %j', (payload, outcome) => {
  expect(outcomeOf({ signs: [{ path: 'ok', failed: '^false$' }] }, { ...payload }, 'any')).toBe(outcome);
});

describe('projects that a person trusts', () => {
  const file = `${HOME}/.invented/config.json`;
  const at = ['projects', PROJECT, 'level'];
  const projectTrust = { in: invented.home, path: 'config.json', at, is: 'trusted' };
  const ofProject = { ...invented, gates: { switches: [], projectTrust } };
  const view = (projects: Record<string, unknown>) => ({
    ...filesOf({ [file]: JSON.stringify({ projects }) }),
    env: { HOME },
    cwd: '/code/shop',
  });

  it('run their own hooks, and no other project does', () => {
    expect(distrust(ofProject, '/code/shop', view({ '/code/shop': { level: 'trusted' } }))).toBeUndefined();
    for (const projects of [{}, { '/code': { level: 'trusted' } }, { '/code/shop': { level: 'untrusted' } }])
      expect(distrust(ofProject, '/code/shop', view(projects)), JSON.stringify(projects)).toMatchObject({
        code: 'doctor.project-untrusted',
        where: { file },
      });
  });

  it('hold back no other hooks', () => {
    expect(folderDistrust(ofProject, '/code/shop', view({}))).toBeUndefined();
  });

  it('are not those of which only servers need trust', () => {
    const gate = { in: invented.home, path: 'config.json', at: ['trusted'], lists: PROJECT } as const;
    const files = [
      { scope: 'project', in: 'top', path: '.mcp.json', at: ['mcpServers'], onlyIf: gate },
    ] as const;
    const ofServers = { ...invented, gates: { switches: [] }, mcp: { ...invented.mcp, files } };
    expect(distrust(ofServers, '/code/shop', view({}))).toBeUndefined();
  });
});

describe('folders that a person trusts, as a list', () => {
  const file = `${HOME}/.invented/config.json`;
  const view = (only?: 'project') => {
    const folderTrust = {
      ...(only && { only }),
      file: { in: 'client', path: 'config.json' },
      at: ['trusted'],
    };
    const gates = { switches: [], folderTrust } as Client['gates'];
    const surface = { ...filesOf({ [file]: '{"trusted":["/code"]}' }), env: { HOME }, cwd: '/' };
    return { client: { ...invented, gates }, surface };
  };

  it('hold for what is below them', () => {
    const { client, surface } = view();
    expect(folderDistrust(client, '/code/shop', surface)).toBeUndefined();
    expect(folderDistrust(client, '/codes', surface)).toMatchObject({ where: { file } });
  });

  it('hold back a project’s own hooks alone, where the client says so', () => {
    const { client, surface } = view('project');
    expect(folderDistrust(client, '/codes', surface)).toBeUndefined();
    expect(distrust(client, '/codes', surface)).toMatchObject({ code: 'doctor.folder-untrusted' });
  });

  it('need none where the setting that asks for trust is off', () => {
    const { client, surface } = view();
    const on = {
      at: ['trust', 'enabled'],
      off: true,
      files: [{ in: 'client', path: 'settings.json' }],
    } as const;
    const gates = { ...client.gates, folderTrust: { ...client.gates.folderTrust, on } } as Client['gates'];
    const asked = (settings: string) => {
      const files = filesOf({ [file]: '{"trusted":[]}', [`${HOME}/.invented/settings.json`]: settings });
      return folderDistrust({ ...client, gates }, '/codes', { ...surface, ...files });
    };
    expect(asked('{}')).toBeUndefined();
    expect(asked('{"trust":{"enabled":true}}')).toMatchObject({ where: { file } });
  });
});
