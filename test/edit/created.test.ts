/** Files that nothing remembers: whether they have exactly the bytes that installs give to a new file. */
import { describe, expect, it } from 'vitest';
import { memoryOfCreated } from '../../src/edit/created.ts';
import type { FileMemory } from '../../src/edit/types.ts';
import { entries, install, KINDS, oursOf, run, start, uninstall } from './helpers.ts';

const isOurs = (signature: string): boolean =>
  ['mem', 'other', 'third'].some((server) => oursOf(server)(signature) !== undefined);

describe.each(Object.entries(KINDS))('%s', (_, kind) => {
  const memoryOf = (text: string | null): FileMemory | undefined =>
    memoryOfCreated({ ...kind, text }, isOurs);

  it('a file that installs made gets the memory that they had', () => {
    const one = install(kind, start(null));
    const two = install(kind, one, 'other');
    const three = install(kind, two, 'third');
    for (const { text, memory } of [one, two, three]) expect(memoryOf(text)).toEqual(memory);
    expect(memoryOf((two.text ?? '').replaceAll('\n', '\r\n'))).toEqual(two.memory);
    const last = uninstall(kind, { text: one.text, memory: memoryOf(one.text) });
    expect(last).toMatchObject({ text: null, memory: undefined });
  });

  it('servers that came with other events, or of which one has gone', () => {
    const [tool, prompt] = entries(kind, 'mem');
    const one = run(kind, start(null), 'mem', prompt ? [prompt] : [], undefined);
    const two = install(kind, one, 'other');
    const three = run(kind, two, 'mem', entries(kind, 'mem'), tool && [tool]);
    for (const { text, memory } of [two, three]) expect(memoryOf(text)).toEqual(memory);
    const left = uninstall(kind, three);
    expect(memoryOf(left.text)).toEqual(left.memory);
  });

  it("a file with anything of a person's has no such memory", () => {
    const text = install(kind, start(null)).text ?? '';
    const toml = kind.format === 'toml';
    const others = toml
      ? [`${text}# mine\n`, `model = "x"\n\n${text}`, `\n${text}`, text.replace('10', '10 ')]
      : [
          ` ${text}`,
          text.trimEnd(),
          JSON.stringify(JSON.parse(text)),
          text.replace('{', '{ "description": "mine",'),
        ];
    const before = toml
      ? ['# mine\n', 'model = "x"\n']
      : ['{}', '{"hooks":{}}', '{ "hooks": {} }\n', '{\n    "hooks": {}\n}\n'];
    if (kind.format === 'jsonc') others.push(`// mine\n${text}`);
    if (kind.frame === undefined) for (const own of before) others.push(install(kind, start(own)).text ?? '');
    for (const other of others) expect([other, memoryOf(other)]).toEqual([other, undefined]);
    expect(memoryOf(null)).toBeUndefined();
    expect(memoryOf('')).toBeUndefined();
    const foreign = run(kind, start(null), 'x', entries(kind, 'x'), undefined);
    expect(memoryOf(foreign.text)).toBeUndefined();
  });
});
