import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import type { HookGroup, HookHandler } from '../../src/clients/hook-config.ts';
import { merged } from '../../src/edit/merge.ts';
import type { EntryChange, Reconciled, WantedEntry } from '../../src/edit/types.ts';
import { Fault } from '../../src/messages/fault.ts';
import { ALL, LONG } from '../effort.ts';
import { entries, install, KINDS, type Kind, run, start, uninstall } from './helpers.ts';

const { claude, gemini } = KINDS;
const codexJson = KINDS['codex-json'];
const codexToml = KINDS['codex-toml'];

const kinds = (changes: EntryChange[]) => changes.map((c) => c.kind);
const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
  return 'no fault';
};
const faultOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};
const doc = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const groupsOf = (r: Reconciled, event: string): HookGroup[] =>
  JSON.parse(r.text ?? '{}').hooks?.[event] ?? [];
const tool = (kind: Kind, digest = 'd1', server = 'mem'): WantedEntry =>
  entries(kind, server, digest)[0] as WantedEntry;
const own = (name: string): HookGroup => ({ hooks: [{ type: 'command', command: name }] });
const tombstone = { hooks: [], 'x-mcphooks': 'removed' };

describe('an entry that the user edited', () => {
  const edited = { ...tool(claude).group, hooks: [{ ...tool(claude).group.hooks[0], timeout: 99 }] };
  const file = start(doc({ hooks: { PostToolUse: [edited] } }));

  test('stays when it is not wanted any more', () => {
    const r = run(claude, file, 'mem', [], [tool(claude)]);
    expect([r.text, kinds(r.changes)]).toEqual([file.text, ['kept-edited']]);
  });
  test('stays while its command is still the wanted one', () => {
    const r = run(claude, file, 'mem', [tool(claude)], [tool(claude)]);
    expect([r.text, kinds(r.changes)]).toEqual([file.text, ['kept-edited']]);
  });
  test('keeps what the user edited when its command changes', () => {
    const later = tool(claude, 'd2');
    later.group = { ...later.group, matcher: '^Edit$' };
    const r = run(claude, file, 'mem', [later], [tool(claude)]);
    const [handler] = later.group.hooks;
    expect(groupsOf(r, 'PostToolUse')).toEqual([{ ...later.group, hooks: [{ ...handler, timeout: 99 }] }]);
    expect(r.changes).toEqual([
      { event: 'PostToolUse', key: 'PostToolUse', kind: 'replaced', stays: ['timeout'] },
    ]);
  });
  test('takes a declared matcher that changed, and keeps its own while that stays', () => {
    const wide = { ...tool(claude).group, matcher: '^Write$' };
    const text = doc({ hooks: { PostToolUse: [wide] } });
    const same = run(claude, start(text), 'mem', [tool(claude, 'd2')], [tool(claude)]);
    expect([groupsOf(same, 'PostToolUse')[0]?.matcher, same.changes[0]?.stays]).toEqual([
      '^Write$',
      ['matcher'],
    ]);
    const later = tool(claude, 'd2');
    later.group = { ...later.group, matcher: '^Edit$' };
    const other = run(claude, start(text), 'mem', [later], [tool(claude)]);
    expect([groupsOf(other, 'PostToolUse'), other.changes[0]?.stays]).toEqual([[later.group], undefined]);
    const lost = run(
      claude,
      start(text.replace('"matcher"', '"note": 1, "matcher"')),
      'mem',
      [later],
      undefined,
    );
    expect(groupsOf(lost, 'PostToolUse')).toEqual([{ note: 1, ...later.group }]);
  });
  test('starts only what was approved, on every system', () => {
    const entry = (digest: string) => ({
      ...tool(codexToml, digest),
      group: {
        hooks: [
          {
            type: 'command',
            command: `${tool(codexToml, digest).group.hooks[0]?.command}`,
            commandWindows: `& '${digest}'`,
            timeout: 10,
          },
        ],
      },
    });
    const installed = run(codexToml, start(null), 'mem', [entry('d1')], []);
    const text = (installed.text ?? '')
      .replace("& 'd1'", "& 'd1' # slow")
      .replace('timeout = 10', 'timeout = 99');
    const r = run(codexToml, { ...installed, text }, 'mem', [entry('d2')], [entry('d1')]);
    expect(r.text).toBe(
      (installed.text ?? '').replaceAll('d1', 'd2').replace('timeout = 10', 'timeout = 99'),
    );
    expect(r.changes[0]?.stays).toEqual(['timeout']);
  });
  test('keeps no member that starts anything, also when the record is lost', () => {
    const members = ['type', 'command', 'args', 'commandWindows', 'powershell', 'onFailure', 'x-mcphooks'];
    const group = (digest: string): HookGroup => {
      const starts = Object.fromEntries(members.map((key) => [key, `${key} ${digest}`]));
      return { hooks: [{ ...starts, timeout: 10 } as unknown as HookHandler] };
    };
    const [handler] = group('of the user').hooks as [HookHandler];
    const found = { matcher: '*', hooks: [{ ...handler, timeout: 99, note: 1 } as HookHandler] };
    const [wanted] = group('d2').hooks as [HookHandler];
    expect(merged(found, { ...group('d1'), matcher: '^Edit$' }, group('d2'))).toEqual({
      group: { hooks: [{ ...wanted, timeout: 99, note: 1 }] },
      stays: ['timeout', 'note'],
    });
    const bare = { hooks: [{ type: 'type d2', timeout: 10 }] };
    expect(merged(found, undefined, bare)).toEqual({
      group: { hooks: [{ ...bare.hooks[0], note: 1 }] },
      stays: ['note'],
    });
  });
  test('without a script is put back: its members are all that was approved', () => {
    const entry = (toolName: string, digest: string): WantedEntry => ({
      ...tool(claude),
      group: {
        matcher: 'Edit',
        hooks: [{ type: 'mcp_tool', server: 'mem', tool: toolName, 'x-mcphooks': `${digest}/k` }],
      },
    });
    const ours = { ours: (mark: string) => (mark.endsWith('/k') ? 'PostToolUse' : undefined) };
    const text = doc({ hooks: { PostToolUse: [{ ...entry('log', 'd1').group, matcher: '*' }] } });
    const r = run(claude, start(text), 'mem', [entry('remove', 'd2')], [entry('log', 'd1')], ours);
    expect(groupsOf(r, 'PostToolUse')).toEqual([entry('remove', 'd2').group]);
    // Nor does it keep a member of one with a script, in whose place it comes.
    const hook = { ...tool(claude).group.hooks[0], tool: 'wipe', input: {} };
    const edited = doc({ hooks: { PostToolUse: [{ ...tool(claude).group, hooks: [hook] }] } });
    const after = run(claude, start(edited), 'mem', [entry('log', 'd2')], [tool(claude)]);
    expect(groupsOf(after, 'PostToolUse')).toEqual([entry('log', 'd2').group]);
  });
  test('keeps its matcher and place beside a handler of the user', () => {
    const [handler] = tool(claude).group.hooks;
    const theirs = own('theirs').hooks[0];
    const text = doc({
      hooks: { PostToolUse: [{ matcher: '^X$', hooks: [{ ...handler, timeout: 3 }, theirs], note: 1 }] },
    });
    const r = run(claude, start(text), 'mem', [tool(claude, 'd2')], [tool(claude)]);
    expect([r.text, r.changes[0]?.stays]).toEqual([text.replace('/d1/', '/d2/'), ['matcher', 'timeout']]);
  });
  test.each(['since = 2025-01-02', 'n = 0xFFFFFFFFFFFFF0', 'x = nan', "t = '''a\r\nb'''"])(
    'keeps a value of TOML as it was written: %s',
    (line) => {
      const installed = run(codexToml, start(null), 'mem', [tool(codexToml)], []);
      const text = (installed.text ?? '').replace('matcher =', `${line}\nmatcher =`);
      const r = run(codexToml, { ...installed, text }, 'mem', [tool(codexToml, 'd2')], [tool(codexToml)]);
      expect(r.text).toBe(text.replace('/d1/', '/d2/'));
    },
  );
  test('is put back where edits are not to stay', () => {
    const r = run(claude, file, 'mem', [tool(claude, 'd2')], [tool(claude)], { evenEdited: true });
    expect(groupsOf(r, 'PostToolUse')).toEqual([tool(claude, 'd2').group]);
  });
  describe('keeps its comments and layout', () => {
    const { group, ...entry } = tool(gemini);
    const [handler] = group.hooks;
    const { matcher } = group;
    const command = JSON.stringify(handler?.command);
    const hooks = `"hooks": [ /* slow */ { "type": "command", "command": ${command}, // mine
      "timeout": 99 /* more */ } ]`;
    const inFile = (members: string): string => `{ "hooks": { "AfterTool": [\n  {${members}}\n] } }\n`;
    const bare: WantedEntry = { ...entry, group: { hooks: group.hooks } };
    const later = (one: WantedEntry, change: object = {}): WantedEntry => {
      const to = tool(gemini, 'd2').group.hooks[0];
      return { ...one, group: { ...one.group, hooks: [{ ...to, ...change } as HookHandler] } };
    };
    const updated = (members: string, from: WantedEntry, to: WantedEntry): string | null =>
      run(gemini, start(inFile(members)), 'mem', [to], [from]).text;

    test('when it gains a matcher', () => {
      expect(updated(` // all\n    ${hooks} // end\n  `, bare, later({ ...entry, group }))).toBe(
        inFile(` // all\n    ${hooks}, // end\n    "matcher": "${matcher}"\n  `).replace('/d1/', '/d2/'),
      );
      expect(updated(` ${hooks} `, bare, later({ ...entry, group }))).toBe(
        inFile(` ${hooks}, "matcher": "${matcher}" `).replace('/d1/', '/d2/'),
      );
    });
    test('when it loses its matcher', () => {
      const had = ` // these\n    "matcher": "${matcher}", // edits\n    ${hooks}\n  `;
      expect(updated(had, { ...entry, group }, later(bare))).toBe(
        inFile(` // these\n    // edits\n    ${hooks}\n  `).replace('/d1/', '/d2/'),
      );
    });
    test('when its handler gains a member', () => {
      expect(updated(` ${hooks} `, bare, later(bare, { name: 'memo' }))).toBe(
        inFile(` ${hooks.replace('99 /* more */', '99, /* more */\n      "name": "memo"')} `).replace(
          '/d1/',
          '/d2/',
        ),
      );
    });
  });
  describe('in TOML, as a table beside a handler of the user,', () => {
    const { group, ...entry } = tool(codexToml);
    const [handler] = group.hooks;
    const to = tool(codexToml, 'd2').group.hooks[0] as HookHandler;
    const text = `[[hooks.PostToolUse]]
matcher = ${JSON.stringify(group.matcher)}
[[hooks.PostToolUse.hooks]]
type = "command"
command = "own"
[[hooks.PostToolUse.hooks]]
type = "command"
# the server of notes
command = ${JSON.stringify(handler?.command)}
timeout = 99 # slow
additionalContextLimit = 0
`;
    const updated = (hook: HookHandler): string => {
      const wanted = { ...entry, group: { ...group, hooks: [hook] } };
      return run(codexToml, start(text), 'mem', [wanted], [tool(codexToml)]).text ?? '';
    };
    test('keeps its comments', () => {
      expect(updated(to)).toBe(text.replace('/d1/', '/d2/'));
    });
    const { additionalContextLimit: _, ...less } = to;
    test.each([{ ...to, name: 'memo' }, less, { ...less, name: 'memo' }])(
      'takes and loses members: %#',
      (hook) => {
        const { hooks } = parseToml(updated(hook)) as { hooks: { PostToolUse: HookGroup[] } };
        expect(hooks.PostToolUse[0]?.hooks).toEqual([
          { type: 'command', command: 'own' },
          { ...hook, timeout: 99 },
        ]);
      },
    );
  });
  test('keeps members that were added, and loses none that were removed', () => {
    const { timeout, ...handler } = tool(claude).group.hooks[0] ?? { type: '' };
    const text = doc({ hooks: { PostToolUse: [{ ...tool(claude).group, hooks: [handler], note: 'mine' }] } });
    const r = run(claude, start(text), 'mem', [tool(claude, 'd2')], [tool(claude)]);
    expect(timeout).toBe(10);
    expect(r.text).toBe(text.replace('/d1/', '/d2/'));
    expect(r.changes[0]?.stays).toEqual(['note', 'timeout']);
  });
  test.each([
    ['a comment', gemini, (text: string) => text.replace('"timeout": 10', '"timeout": 10 /* mine */')],
    [
      'a spelling of its own',
      claude,
      (text: string) => text.replace('"timeout": 10', '"timeout": 1.2e1, "name": "\\u00e9"'),
    ],
    ['another layout', gemini, (text: string) => text.replace(', "timeout": 10', ',\n\n "timeout":\t11')],
    ['a comment in TOML', codexToml, (text: string) => text.replace('matcher =', '# mine\nmatcher   =')],
    [
      'a table in TOML',
      codexToml,
      (text: string) =>
        text.replace(/hooks = \[ \{ (.*) \} \]/, (_, members: string) =>
          ['', '[[hooks.PostToolUse.hooks]] # mine', ...members.split(', ')].join('\n'),
        ),
    ],
    [
      'a handler of the user beside it',
      claude,
      (text: string) =>
        text.replace(/"timeout": 10 \}/, `"timeout": 11  }, ${JSON.stringify(own('theirs').hooks[0])}`),
    ],
  ])('keeps %s, byte for byte, when its command changes', (_, kind, edit) => {
    const installed = run(kind, start(null), 'mem', [tool(kind)], []);
    const text = edit(installed.text ?? '');
    expect(text).not.toBe(installed.text);
    const r = run(kind, { ...installed, text }, 'mem', [tool(kind, 'd2')], [tool(kind)]);
    expect(r.text).toBe(text.replace('/d1/', '/d2/'));
    expect(kinds(r.changes)).toEqual(['replaced']);
  });
  test('is recognised by keys of the user when the record is lost', () => {
    const marked = start(doc({ hooks: { PostToolUse: [{ ...tool(claude).group, note: 'mine' }] } }));
    expect(kinds(run(claude, marked, 'mem', [], undefined).changes)).toEqual(['kept-edited']);
    expect(kinds(run(claude, file, 'mem', [], undefined).changes)).toEqual(['removed']);
    // Beside a handler of the user, these keys say nothing of ours.
    const hooks = [...own('mine').hooks, ...tool(claude).group.hooks];
    const shared = run(
      claude,
      start(doc({ hooks: { PostToolUse: [{ hooks, note: 1 }] } })),
      'mem',
      [],
      undefined,
    );
    expect(groupsOf(shared, 'PostToolUse')).toEqual([{ ...own('mine'), note: 1 }]);
    // Nor beside another of ours: both go, and what the user wrote stays.
    const { hooks: twice } = tool(claude).group;
    const both = doc({ hooks: { PostToolUse: [{ note: 1, hooks: [...twice, ...twice] }] } });
    expect(groupsOf(run(claude, start(both), 'mem', [], undefined), 'PostToolUse')).toEqual([
      { note: 1, hooks: [] },
    ]);
  });
  test('is one with a comment inside', () => {
    const installed = install(gemini, start('{}'));
    const text = (installed.text ?? '').replace('"timeout": 10', '"timeout": 10 /* mine */');
    const r = uninstall(gemini, { ...installed, text });
    expect(kinds(r.changes)).toEqual(['kept-edited', 'removed']);
    expect(r.text).toContain('/* mine */');
  });
  test('is a TOML table that took in a key meant for elsewhere', () => {
    const installed = run(codexToml, start('a = 1\n'), 'mem', [tool(codexToml)], []);
    const text = `${installed.text}model = "x"\n`;
    const r = run(codexToml, { ...installed, text }, 'mem', [], [tool(codexToml)]);
    expect([r.text, kinds(r.changes)]).toEqual([text, ['kept-edited']]);
  });
});

describe('the record wants what is there already', () => {
  test('a setting of ours that changed without the command is replaced', () => {
    const slow = {
      ...tool(claude),
      group: {
        ...tool(claude).group,
        hooks: [{ ...tool(claude).group.hooks[0], type: 'command', timeout: 20 }],
      },
    };
    const before = install(claude, start('{}'));
    const r = run(claude, before, 'mem', [slow], entries(claude, 'mem'));
    expect(groupsOf(r, 'PostToolUse')).toEqual([slow.group]);
    expect(kinds(r.changes)).toEqual(['replaced', 'removed']);
  });
  test('a copy of our entry goes', () => {
    const twice = start(doc({ hooks: { PostToolUse: [tool(claude).group, own('u'), tool(claude).group] } }));
    const r = run(claude, twice, 'mem', [tool(claude)], [tool(claude)]);
    expect(groupsOf(r, 'PostToolUse')).toEqual([tool(claude).group, own('u')]);
    expect(kinds(r.changes)).toEqual(['unchanged', 'removed']);
  });
  test("entries of another server are like a user's", () => {
    const both = install(claude, install(claude, start('{}'), 'a'), 'b');
    const r = run(claude, both, 'a', [], undefined);
    expect(groupsOf(r, 'PostToolUse')).toEqual([tool(claude, 'd1', 'b').group]);
  });
});

describe.each([
  ['JSON', claude],
  ['TOML', codexToml],
] as const)('a group that ours shares with a handler of the user, %s', (_, kind) => {
  const [ours] = tool(kind).group.hooks;
  const user = { type: 'command', command: 'own' };
  const nested = ['[[hooks.PostToolUse]]', 'matcher = "^(Bash|mcp__x__.*)$"'];
  const handler = (h: object) => [
    '[[hooks.PostToolUse.hooks]]',
    ...Object.entries(h).map(([k, v]) => `${k} = ${JSON.stringify(v)}`),
  ];
  const inline = (hs: object[]) =>
    `hooks = [ ${hs
      .map(
        (h) =>
          `{ ${Object.entries(h)
            .map(([k, v]) => `${k} = ${JSON.stringify(v)}`)
            .join(', ')} }`,
      )
      .join(', ')} ]`;
  const makeAll = (groups: object[][], shape: 'nested' | 'inline') =>
    kind === claude
      ? doc({ hooks: { PostToolUse: groups.map((hooks) => ({ ...tool(kind).group, hooks })) } })
      : groups
          .flatMap((hooks) => [...nested, ...(shape === 'nested' ? hooks.flatMap(handler) : [inline(hooks)])])
          .map((line) => `${line}\n`)
          .join('');
  const make = (hooks: object[], shape: 'nested' | 'inline') => makeAll([hooks], shape);
  const parsed = (r: Reconciled) => {
    const value = kind === claude ? JSON.parse(r.text ?? '{}') : parseToml(r.text ?? '');
    return (value as { hooks: { PostToolUse: HookGroup[] } }).hooks.PostToolUse;
  };

  for (const shape of ['nested', 'inline'] as const) {
    test.each([
      ['first', [ours, user]],
      ['last', [user, ours]],
    ])(`loses only ours, which stands %s (${shape})`, (_place, hooks) => {
      const text = make(hooks as object[], shape);
      const r = run(kind, start(text), 'mem', [], [tool(kind)]);
      expect(parsed(r)).toEqual([{ ...tool(kind).group, hooks: [user] }]);
      expect(kinds(r.changes)).toEqual(['removed']);
    });
    test(`gets the new handler in place (${shape})`, () => {
      const text = make([user, ours as object], shape);
      const r = run(kind, start(text), 'mem', [tool(kind, 'd2')], [tool(kind)]);
      expect(parsed(r)).toEqual([{ ...tool(kind).group, hooks: [user, tool(kind, 'd2').group.hooks[0]] }]);
    });
    test.each(['d1', 'd2'])(`keeps its matcher when ours, of %s, needs another one (${shape})`, (digest) => {
      const text = make([user, ours as object], shape);
      const wider = { ...tool(kind, digest), group: { ...tool(kind, digest).group, matcher: '^Edit$' } };
      const r = run(kind, start(text), 'mem', [wider], [tool(kind)]);
      expect(parsed(r)).toEqual([{ ...tool(kind).group, hooks: [user] }, wider.group]);
      expect(kinds(r.changes)).toEqual(['replaced']);
    });
    test(`loses ours also where it stands twice, and from each of several groups (${shape})`, () => {
      const groups = [
        [ours, user, ours],
        [user, ours],
      ] as object[][];
      const text = makeAll(groups, shape);
      const r = run(kind, start(text), 'mem', [], [tool(kind)]);
      expect(parsed(r)).toEqual([1, 2].map(() => ({ ...tool(kind).group, hooks: [user] })));
    });
    test(`is replaced whole where it is ours alone and edits are not to stay (${shape})`, () => {
      const edited = { ...ours, timeout: 99, note: 1 };
      const r = run(kind, start(make([edited], shape)), 'mem', [tool(kind, 'd2')], [tool(kind)], {
        evenEdited: true,
      });
      expect(parsed(r)).toEqual([tool(kind, 'd2').group]);
    });
    test(`two of ours in one group go together (${shape})`, () => {
      const text = make([ours as object, ours as object], shape);
      const r = run(kind, start(text), 'mem', [], [tool(kind)]);
      expect(r.text).not.toContain('mcphooks');
    });
  }
});

describe('tombstones', () => {
  test('with a comment of the user stay', () => {
    const [{ event }] = [tool(codexToml)];
    const text = `[[hooks.${event}]]\n# why this is here\nhooks = []\nx-mcphooks = "removed"\n\n[[hooks.${event}]]\nhooks = [ { type = "command", command = "mine" } ]\n`;
    const installed = install(codexToml, start(text));
    expect(installed.text).toContain('# why this is here');
    const left = uninstall(codexToml, installed).text ?? '';
    expect(left).toBe(text);
  });
  const three = start(doc({ hooks: { PostToolUse: [own('a'), tool(codexJson).group, own('b')] } }));
  test('stand where a group went that was not the last', () => {
    const r = run(codexJson, three, 'mem', [], [tool(codexJson)]);
    expect(groupsOf(r, 'PostToolUse')).toEqual([own('a'), tombstone, own('b')]);
  });
  test('are re-used, so that no group moves', () => {
    const gone = run(codexJson, three, 'mem', [], [tool(codexJson)]);
    const back = run(codexJson, gone, 'mem', [tool(codexJson)], []);
    expect(groupsOf(back, 'PostToolUse')).toEqual([own('a'), tool(codexJson).group, own('b')]);
  });
  test('go when they have become the last', () => {
    const text = doc({ hooks: { PostToolUse: [own('a'), tombstone, tool(codexJson).group] } });
    const r = run(codexJson, start(text), 'mem', [], [tool(codexJson)]);
    expect(groupsOf(r, 'PostToolUse')).toEqual([own('a')]);
  });
  test('are written only where positions count', () => {
    const text = doc({ hooks: { PostToolUse: [own('a'), tool(claude).group, own('b')] } });
    const r = run(claude, start(text), 'mem', [], [tool(claude)]);
    expect(groupsOf(r, 'PostToolUse')).toEqual([own('a'), own('b')]);
  });
  test('in TOML: left, re-used, and gone with the last', () => {
    const installed = run(codexToml, start('a = 1\n'), 'mem', [tool(codexToml)], []);
    const user = '\n[[hooks.PostToolUse]]\nhooks = [ { type = "command", command = "u" } ]\n';
    const gone = run(codexToml, { ...installed, text: installed.text + user }, 'mem', [], [tool(codexToml)]);
    expect(gone.text).toBe(`a = 1\n\n[[hooks.PostToolUse]]\nhooks = []\nx-mcphooks = "removed"\n${user}`);
    const back = run(codexToml, gone, 'mem', [tool(codexToml)], []);
    expect(back.text).toBe(installed.text + user);
    const alone = run(codexToml, { ...gone, text: (gone.text ?? '').replace(user, '') }, 'mem', [], []);
    expect(alone.text).toBe('a = 1\n');
  });
});

describe('a file that was not there', () => {
  test.each(Object.entries(KINDS))('%s: is made, and goes with the last entry', (_, kind) => {
    const a = install(kind, start(null), 'a');
    const ab = install(kind, a, 'b');
    const b = uninstall(kind, ab, 'a');
    expect(b.text).not.toBeNull();
    expect(uninstall(kind, b, 'b')).toMatchObject({ text: null, memory: undefined });
  });
  test.each(
    Object.values([gemini, KINDS.cursor, KINDS.qwen]).flatMap((kind) =>
      [
        /^/,
        /^\{/,
        /"hooks"/,
        /"hooks":/,
        new RegExp(`"${kind.events[0]}"`),
        new RegExp(`"${kind.events[0]}":`),
      ]
        .flatMap((place) =>
          [null, '\n', JSON.stringify(kind.frame ?? {})].map((before) => ({ kind, place, before })),
        )
        .filter(({ kind, before }) => kind.accepts.emptyFile || before !== '\n'),
    ),
  )('stays with a comment of the user: $kind.file, $place, $before', ({ kind, place, before }) => {
    const a = install(kind, start(before));
    const text = (a.text ?? '').replace(place, '$& /* mine */ ');
    const left = uninstall(kind, { ...a, text }).text ?? '';
    expect(left).toContain('/* mine */');
    expect(left).not.toContain('mcphooks');
    expect(uninstall(kind, start(left)).text).toBe(left);
  });
  test('stays with what the user added, without our containers', () => {
    const a = install(claude, start(null));
    const text = (a.text ?? '').replace('{\n', '{\n  "model": "opus",\n');
    expect(uninstall(claude, { ...a, text }).text).toBe('{\n  "model": "opus"\n}\n');
    const t = install(codexToml, start(null));
    expect(uninstall(codexToml, { ...t, text: `${t.text}\n[tui]\nx = 1\n` }).text).toBe('\n[tui]\nx = 1\n');
  });
  test.each([
    [claude, '{}'],
    [codexToml, 'a = 1\n'],
  ])('is forgotten once the user emptied it by hand', (kind, text) => {
    const { memory } = install(kind, start(null));
    const again = install(kind, { text, memory });
    expect(uninstall(kind, again)).toMatchObject({ text, memory: undefined });
  });
  test('is forgotten of a list that the user renamed, in an unchanged file, too', () => {
    const a = install(claude, start('{}'));
    const renamed = {
      ...a,
      text: (a.text ?? '').replace('"hooks"', '"hooks": { "Stop": [{"hooks": []}] }, "mine"'),
    };
    expect(Object.keys(a.memory?.containers ?? {})).toContain('/hooks/PostToolUse');
    expect(uninstall(claude, renamed).memory).toEqual({
      containers: { '': { empty: '' }, '/hooks': { created: true } },
    });
    const ofOthers = ['PostToolUse'];
    const { containers } = run(claude, renamed, 'mem', [], undefined, { ofOthers }).memory ?? {};
    expect(containers).toHaveProperty(['/hooks/PostToolUse']);
  });
  test.each([
    [claude, '\n'],
    [codexToml, ''],
  ])('and one without any value gets its white space back', (kind, text) => {
    const a = install(kind, start(text), 'a');
    expect(uninstall(kind, uninstall(kind, install(kind, a, 'b'), 'a'), 'b').text).toBe(text);
  });
  test('stays when a comment was added around or inside', () => {
    const a = install(gemini, start(null));
    expect(uninstall(gemini, { ...a, text: `// mine\n${a.text}` }).text).toBe('// mine\n{}\n');
    const inside = (a.text ?? '').replace('"hooks": {\n', '"hooks": {\n    // mine\n');
    expect(uninstall(gemini, { ...a, text: inside }).text).toContain('// mine');
  });
  test('stays, empty, when the record is lost', () => {
    const a = install(claude, start(null));
    expect(JSON.parse(run(claude, start(a.text), 'mem', [], undefined).text ?? '')).toEqual({
      hooks: { PostToolUse: [], SessionStart: [] },
    });
  });
  test.each([
    ['SessionStart', '"hooks": { "SessionStart": [{}],', { SessionStart: [] }],
    ['hooks', '"hooks": { "Stop": [{}] }, "hooks": {', {}],
  ])(
    'stays, empty, where the user wrote the name %s before it, too: the client reads the last',
    (_, twice, left) => {
      const installed = install(claude, start('{\n  "a": 1\n}\n'));
      const text = (installed.text ?? '').replace('"hooks": {', twice);
      const { text: after } = uninstall(claude, { ...installed, text });
      expect(JSON.parse(after ?? '')).toEqual({ a: 1, hooks: left });
      expect(after).toContain(twice);
    },
  );
});

describe('what is written', () => {
  const layout = (text: string) => {
    const { text: after } = run(claude, start(text), 'mem', [tool(claude)], []);
    return (after ?? '').replace(/"command":( ?)".*?exit 0"/, '"command":$1"C"');
  };
  test('follows tabs and CRLF', () => {
    expect(layout('{\r\n\t"a": 1\r\n}\r\n')).toBe(
      '{\r\n\t"a": 1,\r\n\t"hooks": {\r\n\t\t"PostToolUse": [\r\n\t\t\t{ "matcher": "^(Bash|mcp__x__.*)$", "hooks": [{ "type": "command", "command": "C", "timeout": 10 }] }\r\n\t\t]\r\n\t}\r\n}\r\n',
    );
  });
  test('never goes between the two characters of a CRLF, in a file of LF', () => {
    expect(layout('{\n  "hooks": {\r\n  }\n}\n')).toMatch(
      /^\{\n {2}"hooks": \{\r\n\n {4}"PostToolUse": \[\n/,
    );
  });
  test('follows one line, with and without spaces', () => {
    const group = '{"matcher":"^(Bash|mcp__x__.*)$","hooks":[{"type":"command","command":"C","timeout":10}]}';
    expect(layout('{"a":1}')).toBe(`{"a":1,"hooks":{"PostToolUse":[${group}]}}`);
    expect(layout('{ "a": 1 }')).toBe(
      '{ "a": 1, "hooks": { "PostToolUse": [{ "matcher": "^(Bash|mcp__x__.*)$", "hooks": [{ "type": "command", "command": "C", "timeout": 10 }] }] } }',
    );
  });
  test('leaves a comment on the line that it belongs to', () => {
    const r = run(
      gemini,
      start('{\n  "a": 1, // one\n  "b": 2 /* two */ // three\n  // four\n}\n'),
      'mem',
      [tool(gemini)],
      [],
    );
    expect(r.text).toMatch(
      /^\{\n {2}"a": 1, \/\/ one\n {2}"b": 2, \/\* two \*\/ \/\/ three\n {2}"hooks": \{/,
    );
    const windows = run(gemini, start('{\r\n  "b": 2 // two\r\n}\r\n'), 'mem', [tool(gemini)], []);
    expect(windows.text).toMatch(/^\{\r\n {2}"b": 2, \/\/ two\r\n {2}"hooks": \{/);
  });
  test.each(['\n', '\r\n'])('goes whole from below a comment, with the line end %j', (nl) => {
    const own = '{ "matcher": "own", "hooks": [] }';
    const lines = [
      '{',
      '  "hooks": {',
      '    "AfterTool": [',
      `      ${own} // mine`,
      '    ]',
      '  }',
      '}',
      '',
    ];
    const text = lines.join(nl);
    const both = entries(gemini, 'mem').map((entry) => ({ ...entry, event: 'AfterTool' }));
    const installed = run(gemini, start(text), 'mem', both, []);
    expect(installed.text?.split(nl).slice(3, 6)).toEqual([
      `      ${own}, // mine`,
      expect.stringMatching(/^ {6}\{ "matcher": .*\},$/),
      expect.stringMatching(/^ {6}\{ "hooks": .*\}$/),
    ]);
    expect(run(gemini, installed, 'mem', [], both).text).toBe(text);
  });
  test.each([
    ['an element behind the last entry', '}\n    ]', '{ "hooks": [] }', '\n    ]'],
    ['a comment behind an entry', '},\n      {', '// too', '\n      {'],
    ['a comment of two lines behind an entry', '},\n      {', '/* two\n lines */', '\n      {'],
  ])('goes from below a comment, in which %s does not end up', (_, place, added, after) => {
    const both = entries(gemini, 'mem').map((entry) => ({ ...entry, event: 'AfterTool' }));
    const text = '{\n  "hooks": {\n    "AfterTool": [\n      // mine\n    ]\n  }\n}\n';
    const installed = run(gemini, start(text), 'mem', both, []);
    const edited = installed.text?.replace(place, `},${added}${after}`) ?? '';
    expect(edited).toContain(added);
    expect(run(gemini, { ...installed, text: edited }, 'mem', [], both).text).toBe(
      text.replace('// mine', `// mine\n      ${added}`),
    );
  });
  test('leaves a comment between it and its comma', () => {
    const { group } = tool(gemini);
    const file = (entry: string) => `{ "hooks": { "AfterTool": [${entry} { "hooks": [] }] } }\n`;
    const text = file(` ${JSON.stringify(group)} /* mine, too */ ,`);
    expect(run(gemini, start(text), 'mem', [], [tool(gemini)]).text).toBe(file(' /* mine, too */ '));
  });
  test('goes where the client reads: the last of a duplicated key', () => {
    const r = run(claude, start('{"hooks":{"PostToolUse":[1]},"hooks":{}}'), 'mem', [tool(claude)], []);
    expect(r.text).toMatch(/^\{"hooks":\{"PostToolUse":\[1\]\},"hooks":\{"PostToolUse":\[\{/);
  });
  test('in TOML is one line a value', () => {
    const odd: WantedEntry = {
      ...tool(codexToml),
      group: { matcher: 'a"\\\n\u0001\u007f🙂', hooks: tool(codexToml).group.hooks },
    };
    const r = run(codexToml, start('x = 1'), 'mem', [odd], []);
    expect((r.text ?? '').split('\n')).toEqual([
      'x = 1',
      '',
      '[[hooks.PostToolUse]]',
      'matcher = "a\\"\\\\\\n\\u0001\\u007f🙂"',
      expect.stringMatching(
        /^hooks = \[ \{ type = "command", command = ".*", timeout = 10, additionalContextLimit = 0 \} \]$/,
      ),
    ]);
  });
  test.each(['\n', '\r\n'])('in TOML goes where no blank line is before it any more: %j', (nl) => {
    const text = `a = 1${nl}`;
    const installed = install(codexToml, start(text));
    const edited = (installed.text ?? '').replaceAll(nl + nl, nl);
    expect(uninstall(codexToml, { ...installed, text: edited }).text).toBe(text);
  });
  test('in TOML a comment behind our last line stays', () => {
    const installed = run(codexToml, start('a = 1\n'), 'mem', [tool(codexToml)], []);
    const text = (installed.text ?? '').replace(/\n$/, ' # mine\n');
    expect(run(codexToml, { ...installed, text }, 'mem', [], [tool(codexToml)]).text).toMatch(
      /^a = 1\n\n ?# mine\n$/,
    );
  });
});

describe('what can not be held is refused', () => {
  /** The entries that the client reads no more: of the whole file, and of one event. */
  const HIDDEN: [string, string, RegExp, string, [number, number]][] = [
    ['hooks', '{\n  "a": 1\n}\n', /\n\}\n$/, ',\n  "hooks": {}\n}\n', [3, 3]],
    ['PostToolUse', '{\n  "hooks": {}\n}\n', /\n {2}\}\n\}/, ',\n    "PostToolUse": []\n  }\n}', [3, 5]],
  ];
  test.each(HIDDEN)('entries of ours under a name %s that occurs again', (name, before, end, again, at) => {
    const installed = install(claude, start(before));
    const text = (installed.text ?? '').replace(end, again);
    expect(text).not.toBe(installed.text);
    const [line, column] = at;
    const refused = { code: 'edit.hidden', args: { name }, where: { line, column } };
    for (const act of [install, uninstall])
      expect(faultOf(() => act(claude, { ...installed, text }))).toMatchObject(refused);
    // Another server's edits are as ever, and so are a file's with a name that occurs twice elsewhere.
    expect(run(claude, { ...installed, text }, 'other', [], []).text).toBe(text);
    const elsewhere = (installed.text ?? '').replace('{', '{ "x": { "y": [], "y": {} },');
    expect(install(claude, { ...installed, text: elsewhere }).text).toBe(elsewhere);
  });
  test('but not a copy of them outside of the hooks, which no client reads anyway', () => {
    const installed = install(claude, start('{ "a": 1 }\n'));
    const { hooks } = JSON.parse(installed.text ?? '');
    const copy = `{ "kept": ${JSON.stringify(hooks)}, "kept": 1,`;
    const text = (installed.text ?? '').replace('{', () => copy);
    expect(install(claude, { ...installed, text }).text).toBe(text);
    expect(uninstall(claude, { ...installed, text }).text).toBe(`${copy} "a": 1 }\n`);
  });
  test('and also between comments, which may stand behind a name', () => {
    const installed = install(gemini, start('{ "a": 1 }\n'));
    const text = (installed.text ?? '').replace(/\}\n$/, ', "hooks" /* ":" */ : {} }\n');
    expect(codeOf(() => uninstall(gemini, { ...installed, text }))).toBe('edit.hidden');
  });
  test.each([60_000, 200_000])(
    'a TOML file with a string of %i characters, if the entry could not be taken out again',
    (length) => {
      const file = start(`x = "${'y'.repeat(length)}"\n`);
      if (length > 100_000)
        expect(faultOf(() => install(codexToml, file))).toMatchObject({
          code: 'edit.too-deep',
          args: { long: 1 },
        });
      else expect(uninstall(codexToml, install(codexToml, file)).text).toBe(file.text);
    },
  );
  test('a result above the limit; taking out stays possible', () => {
    const filler = `{"x":"${'é'.repeat(999_990)}"}`;
    expect(codeOf(() => install(claude, start(filler)))).toBe('edit.too-large');
    const grown = install({ ...claude, accepts: { bom: true, emptyFile: true } }, start(filler));
    expect(uninstall(claude, grown).text).toBe(filler);
    const larger = filler.replace('x', 'x'.repeat(20));
    const made = install({ ...claude, accepts: { bom: true, emptyFile: true } }, start(larger));
    expect(uninstall(claude, made).text).toBe(larger);
  });
  test('uninstall does not mind a shape that never held ours', () => {
    for (const text of ['{"hooks":[]}', '{"hooks":{"PostToolUse":{}}}', '{"hooks":null}'])
      expect(uninstall(claude, start(text))).toEqual({ text, memory: undefined, changes: [] });
    expect(uninstall(codexToml, start('hooks = { Stop = [] }\n')).changes).toEqual([]);
  });
  test('ours inside an inline array of config.toml', () => {
    const [h] = tool(codexToml).group.hooks;
    const text = `[hooks]\nPostToolUse = [ { matcher = "^(Bash|mcp__x__.*)$", hooks = [ { type = "command", command = ${JSON.stringify(h?.command)}, timeout = 10, additionalContextLimit = 0 } ] } ]\n`;
    expect(codeOf(() => uninstall(codexToml, start(text)))).toBe('edit.unsupported-shape');
  });
  test.each([
    [claude, `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    [codexToml, `a = ${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    // Some expressions take more stack than there is for a text of 9 MB.
    [claude, `{"a":"${'a'.repeat(9_000_000)}","b":${'['.repeat(300)}${']'.repeat(300)}}`],
  ])('a document nested beyond all sense', (kind, deep) => {
    expect(codeOf(() => install(kind, start(deep)))).toBe('edit.too-deep');
  });
  test.each([
    [claude, '{\n"x": "[[", "y": [1], "a":', '}'],
    [gemini, '{ // it\'s {\n/* [[\n */ "a":', '}'],
    [codexToml, "# it's [\nx = ['[[']\na = [", ']'],
  ])('a document nested more deeply than any is: the fault names the place', (kind, before, after) => {
    const text = `${before}\n${'['.repeat(300)}\n${']'.repeat(300)}\n${after}\n`;
    const line = before.split('\n').length + 1;
    const fault = { code: 'edit.too-deep', where: { line, column: 300 } };
    expect(faultOf(() => install(kind, start(text)))).toMatchObject(fault);
  });
  test('names of TOML that are nested too deeply: the fault names no place', () => {
    const { code, where } = faultOf(() =>
      install(codexToml, start(`[a]\n${'b.'.repeat(300)}c = 1\n`)),
    ) as Fault;
    expect([code, where.line]).toEqual(['edit.too-deep', undefined]);
  });
  test('a mistake in TOML beside the word nested: the fault names the mistake', () => {
    const fault = { code: 'edit.unreadable', args: { reason: 'toml-comma' }, where: { line: 2 } };
    expect(faultOf(() => install(codexToml, start('nested = [1, 2\n[a]\n')))).toMatchObject(fault);
  });
});

/** 10 MB, or 1 MB. */
const LINES = ALL ? 130_000 : 13_000;

test.runIf(LONG)('10 MB survive', () => {
  const allow = Array.from(
    { length: LINES },
    (_, i) => `Bash(git commit -m "thing ${i}" and some more text)`,
  );
  const text = `// big\n${JSON.stringify({ permissions: { allow }, hooks: {} }, null, 2)}`;
  expect(text.length).toBeGreaterThan(62 * LINES);
  expect(uninstall(gemini, install(gemini, start(text))).text).toBe(text);
});
