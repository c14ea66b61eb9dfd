import { describe, expect, it } from 'vitest';
import type { HookFile } from '../../src/clients/hook-config.ts';
import { ENTRIES, programHash } from '../../src/edit/module.ts';
import { readHooks } from '../../src/edit/read.ts';
import { reconcile } from '../../src/edit/reconcile.ts';
import type { FileMemory, Reconciled, WantedEntry } from '../../src/edit/types.ts';
import { Fault } from '../../src/messages/fault.ts';

const program = (version: string): string =>
  `// Program ${version}\nconst { hooks } = ${ENTRIES.start}{}${ENTRIES.end};\nexport default hooks;\n`;

const MODULE: HookFile = {
  path: 'plugins/{slug}.js',
  format: 'module',
  program: program('1'),
  accepts: { bom: false, emptyFile: true },
  oursAlone: true,
};
const entry = (event: string, digest = 'd1'): WantedEntry => ({
  event,
  key: event,
  group: { hooks: [{ type: 'command', command: `run ${digest}/${event}` }] },
});
const ours = (signature: string) => /^run [^/]+\/(.+)$/.exec(signature)?.[1];

function run(
  state: { text: string | null; memory?: FileMemory | undefined },
  wanted: readonly WantedEntry[],
  more: Partial<HookFile> = {},
): Reconciled {
  return reconcile({
    ...MODULE,
    ...more,
    file: '/m.js',
    text: state.text,
    memory: state.memory,
    wanted,
    ours,
    written: [entry('ChatMessage'), entry('ToolAfter')],
    tombstones: false,
  });
}

describe('a module', () => {
  it('is the program with the entries in it, and is gone after the last', async () => {
    const made = run({ text: null }, [entry('ChatMessage'), entry('ToolAfter')]);
    expect(made.text?.startsWith('// Program 1\n')).toBe(true);
    const loaded = await import(`data:text/javascript,${encodeURIComponent(made.text ?? '')}`);
    expect(Object.keys(loaded.default)).toEqual(['ChatMessage', 'ToolAfter']);
    expect(run(made, [entry('ChatMessage'), entry('ToolAfter')]).text).toBe(made.text);
    expect(run(made, []).text).toBeNull();
  });

  it.each(['', '\n'])('leaves a file that was empty as it was: %j', (text) => {
    const made = run({ text }, [entry('ChatMessage')]);
    expect(made.text).toContain('ChatMessage');
    expect(run(made, []).text).toBe(text);
  });

  it('gets a later program with the next change', () => {
    const made = run({ text: null }, [entry('ChatMessage')]);
    const next = run(made, [entry('ChatMessage', 'd2')], { program: program('2') });
    expect(next.text).toBe(made.text?.replace('Program 1', 'Program 2').replace('d1', 'd2'));
  });

  it('gets a later program without any, too, and keeps its entries', () => {
    const made = run({ text: null }, [entry('ChatMessage')]);
    const next = run(made, [entry('ChatMessage')], { program: program('2') });
    expect(next.text).toBe(made.text?.replace('Program 1', 'Program 2'));
    expect(next.changes).toEqual([{ event: 'ChatMessage', key: 'ChatMessage', kind: 'unchanged' }]);
  });

  it('is current with the line ends of Windows', () => {
    const made = run({ text: null }, [entry('ChatMessage')]);
    const text = made.text?.replaceAll('\n', '\r\n') ?? '';
    expect(run({ ...made, text }, [entry('ChatMessage')]).text).toBe(text);
    expect(run({ ...made, text }, [entry('ChatMessage', 'd2')]).text).toBe(made.text?.replace('d1', 'd2'));
    expect(run({ ...made, text }, []).text).toBeNull();
  });

  it('is current with a byte order mark, which stays', () => {
    const accepts = { ...MODULE.accepts, bom: true };
    const made = run({ text: null }, [entry('ChatMessage')]);
    const text = `\ufeff${made.text}`;
    expect(programHash('/m.js', text)).toBe(programHash('/m.js', MODULE.program ?? ''));
    expect(run({ ...made, text }, [entry('ChatMessage', 'd2')], { accepts }).text).toBe(
      text.replace('d1', 'd2'),
    );
  });

  it.each(Object.values(ENTRIES))('may have entries that contain the mark %s', (mark) => {
    const wanted = entry('ChatMessage');
    const matching = { ...wanted, group: { ...wanted.group, matcher: mark } };
    const made = run({ text: null }, [matching]);
    expect(run(made, [matching])).toMatchObject({ text: made.text, changes: [{ kind: 'unchanged' }] });
  });

  it('tells the lines of the file, not of the entries', () => {
    const { text } = run({ text: null }, [entry('ChatMessage')]);
    const [found] = readHooks({ ...MODULE, file: '/m.js', text }, ours);
    expect(text?.split('\n')[(found?.line ?? 0) - 1]).toContain('run d1/ChatMessage');
  });

  it('is written anew where a name occurs twice in it: JavaScript, too, reads the last', () => {
    const made = run({ text: null }, [entry('ChatMessage')]);
    const text =
      made.text?.replace(
        '{"hooks":',
        '{"hooks":{"ChatMessage":[{"hooks":[{"command":"run d0/ChatMessage"}]}]},"hooks":',
      ) ?? '';
    expect(run({ ...made, text }, [entry('ChatMessage', 'd2')]).text).toBe(made.text?.replace('d1', 'd2'));
  });

  it.each(['export default {};\n', `${ENTRIES.end} ${ENTRIES.start}\n`])(
    'of someone else is refused: %j',
    (text) => {
      expect(() => run({ text }, [entry('ChatMessage')])).toThrow(Fault);
    },
  );
});
