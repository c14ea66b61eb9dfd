import { describe, expect, it } from 'vitest';
import type { Declaration } from '../../src/declarations/types.ts';
import { LONG } from '../effort.ts';
import { HOOKS, home, LEGACY, SETTINGS } from './shadowing-home.ts';

const START: Declaration = { event: 'session_start', context: 'Notes are at hand.', priority: 'important' };
const AFTER: Declaration = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash' },
  context: 'Ran.',
  priority: 'suggestion',
};
const OWN = { hooks: [{ type: 'command', command: 'date' }] };

const standings = (at: ReturnType<typeof home>) => at.status().entries.map(({ standing }) => standing);

describe('an event in one file silences the same event in another', () => {
  it('is written where its client reads it, and never where it would silence others', () => {
    const before = {
      [HOOKS]: JSON.stringify({ SessionStart: [OWN] }),
      [SETTINGS]: JSON.stringify({ hooks: { PostToolUse: [OWN] } }),
    };
    const at = home(before);
    const plan = at.install(START, AFTER);
    expect(Object.keys(at.events(HOOKS))).toEqual(['SessionStart']);
    expect(at.events(HOOKS).SessionStart).toHaveLength(2);
    expect(Object.keys(at.events(SETTINGS))).toEqual(['PostToolUse']);
    expect(at.events(SETTINGS).PostToolUse).toHaveLength(2);
    expect(plan.clients[0]?.file).toBe(HOOKS);
    expect(plan.clients[0]?.beside?.map(({ file }) => file)).toEqual([SETTINGS]);
    expect(standings(at)).toEqual(['as-written', 'as-written']);
    expect(at.install(START, AFTER).changes).toEqual([]);
    at.uninstall();
    expect(at.clientFiles()).toEqual(before);
  });

  it('goes to the last file where none has it', () => {
    const at = home({});
    at.install(START, AFTER);
    expect(Object.keys(at.clientFiles())).toEqual([SETTINGS]);
    at.uninstall();
    expect(at.clientFiles()).toEqual({});
  });

  it('counts in a file that is read only while another is absent', () => {
    const legacy = { [LEGACY]: JSON.stringify({ SessionStart: [OWN] }) };
    const at = home(legacy);
    at.install(START);
    expect(at.events(LEGACY).SessionStart).toHaveLength(2);
    const other = home({ ...legacy, [HOOKS]: '{}' });
    other.install(START);
    expect(other.texts[LEGACY]).toBe(legacy[LEGACY]);
    expect(other.events(SETTINGS).SessionStart).toHaveLength(1);
  });

  it('is missing when somebody gives its event to a file before', () => {
    const at = home({});
    at.install(START, AFTER);
    at.texts[HOOKS] = JSON.stringify({ SessionStart: [OWN] });
    expect(standings(at)).toEqual(['missing', 'as-written']);
    at.install(START, AFTER);
    expect(standings(at)).toEqual(['as-written', 'as-written']);
    at.uninstall();
    expect(at.clientFiles()).toEqual({ [HOOKS]: JSON.stringify({ SessionStart: [OWN] }) });
  });

  it('is shown, too, where it stays because it was edited, though no declaration has it any more', () => {
    const at = home({ [HOOKS]: JSON.stringify({ PostToolUse: [OWN] }) });
    at.install(START, AFTER);
    at.texts[SETTINGS] = at.texts[SETTINGS]?.replace('"timeout": ', '"timeout": 1') ?? '';
    at.install(AFTER);
    expect(at.events(SETTINGS).SessionStart).toHaveLength(1);
    const [first, left] = at.status().entries;
    expect(first).toMatchObject({ event: 'PostToolUse', standing: 'as-written', line: 1 });
    expect(left).toMatchObject({ event: 'SessionStart', standing: 'edited' });
    // Its line would be read as one of the file above.
    expect(left).not.toHaveProperty('line');
  });
});

describe('entries that the client copied to another file', () => {
  it('are as wanted in both, are updated in both, and go from both', () => {
    const before = { [SETTINGS]: '{\n  "hooks": { "Stop": [] }\n}\n' };
    const at = home(before);
    at.install(START, AFTER);
    at.copiedByClient();
    expect(at.install(START, AFTER).changes).toEqual([]);
    expect(standings(at)).toEqual(['as-written', 'as-written']);

    at.install(START, { ...AFTER, context: 'Ran again.' });
    expect(JSON.stringify(at.events(HOOKS).PostToolUse)).toBe(
      JSON.stringify(at.events(SETTINGS).PostToolUse),
    );
    at.install(START);
    expect(at.events(HOOKS)).not.toHaveProperty('PostToolUse');
    expect(at.events(SETTINGS)).not.toHaveProperty('PostToolUse');

    at.uninstall();
    expect(JSON.parse(at.texts[HOOKS] ?? '')).toEqual({ Stop: [], hooksDisabled: false });
    expect(at.texts[SETTINGS]).toBe(before[SETTINGS]);
  });

  it('leave an empty list where hooks of others would come to life again', () => {
    const at = home({ [SETTINGS]: JSON.stringify({ hooks: { SessionStart: [OWN] } }) });
    at.install(START);
    at.copiedByClient();
    const copied = JSON.parse(at.texts[HOOKS] ?? '');
    // The person deletes their own hook in /hooks, which leaves it in settings.json, silent.
    copied.SessionStart = copied.SessionStart.slice(1);
    at.texts[HOOKS] = JSON.stringify(copied);
    at.uninstall();
    expect(at.events(HOOKS).SessionStart).toEqual([]);
    expect(at.events(SETTINGS).SessionStart).toEqual([OWN]);
  });

  it('are found with the record lost', () => {
    const at = home({});
    at.install(START);
    at.copiedByClient();
    const lost = home(at.texts);
    lost.uninstall();
    expect(JSON.stringify(lost.clientFiles())).not.toContain('mcphooks');
  });
});

it('a file with an entry that its client refuses is not touched', () => {
  const broken = JSON.stringify({ PreToolUse: [{ hooks: [{ type: 'command' }] }] });
  const at = home({ [HOOKS]: broken });
  expect(() => at.install(START)).toThrow(
    expect.objectContaining({
      code: 'edit.refused',
      args: expect.objectContaining({ reason: expect.stringContaining('PreToolUse[0].hooks[0].command') }),
    }),
  );
  expect(at.texts).toEqual({ [HOOKS]: broken });
});

interface Cases {
  ACCEPTED: Record<string, Record<string, string>>;
  REFUSED: Record<string, Record<string, string>>;
}
// What the client makes of these files is tried in its real sessions.
const { ACCEPTED, REFUSED } = (await import('../clients/of/droid.files.mjs' as string)) as Cases;
const filesOfCase = (files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [
      `${SETTINGS.slice(0, -'settings.json'.length)}${name}`,
      text.replace('HOOK', () => JSON.stringify(OWN.hooks[0])),
    ]),
  );

const accepted = Object.entries(ACCEPTED);
it.each(LONG ? accepted : accepted.filter(([name]) => name !== 'many keys'))(
  'a file that the client takes: %s',
  (_name, files) => {
    const before = filesOfCase(files);
    const at = home(before);
    at.install(START, AFTER);
    expect(standings(at)).toEqual(['as-written', 'as-written']);
    at.uninstall();
    expect(at.clientFiles()).toEqual(before);
  },
);

it.each(Object.entries(REFUSED))('a file that the client refuses: %s', (_name, files) => {
  const before = filesOfCase(files);
  const at = home(before);
  expect(() => at.install(START)).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^edit\.(?:refused|unreadable)$/) }),
  );
  expect(at.texts).toEqual(before);
});
