import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CLIENTS } from '../../src/clients/index.ts';
import type { FireData, FireHook } from '../../src/fire/format.ts';
import { keptTextsFolder, sessionsFolder } from '../../src/fire/own-folders.ts';
import { sample } from '../effort.ts';
import { nodeHere } from '../node-here/start.ts';
import { captured, samplesOf, served, world } from './world.ts';

const w = world({ node: nodeHere({ servers: true }) });
const config = join(w.home, '.config/mcphooks/config.json');
mkdirSync(join(w.home, '.config/mcphooks'), { recursive: true });
afterEach(() => {
  rmSync(w.state, { recursive: true, force: true });
  rmSync(config, { force: true });
  mkdirSync(w.state, { recursive: true, mode: 0o700 });
});
mkdirSync(w.state, { recursive: true, mode: 0o700 });

const prompt = captured('claude-code', 'UserPromptSubmit');
const tool = captured('claude-code', 'PostToolUse.Bash');
const hook = (text: string, more: Partial<FireHook> = {}): Partial<FireHook> => ({
  event: 'pre_request',
  text,
  ...more,
});
const says = (text: string): Partial<FireHook> => ({
  event: 'pre_request',
  call: { tool: 'say', args: { texts: [text] } },
});
const shimOf = (hooks: Partial<FireHook>[], more: Partial<FireData> = {}) =>
  w.shim('claude-code', 'UserPromptSubmit', hooks, more);

/** Priority and text of each block. */
const told = (text = ''): string[][] =>
  [...text.matchAll(/ \| ([a-z]+)(?: \| meant [^\]]+)?\]\n(.*?)\n\[\/mcphooks/gs)].map(
    ([, priority = '', inner = '']) => [priority, inner],
  );
const logged = () =>
  w.log().map(({ n, silence, incident, text }) => [n, silence ?? incident ?? text ?? 'given']);

const important = { priority: 'important' } as const;
const required = { priority: 'required' } as const;

describe('equal texts of one event are given once', () => {
  it.each([
    ['declared', (text: string, more = {}) => hook(text, more)],
    ['from templates', (text: string, more = {}) => hook(`${text} {project_name}`, more)],
  ] as const)('in the place of the highest priority: %s', async (how, make) => {
    const text = how === 'declared' ? 'Same.' : 'Same. shop';
    const shim = shimOf([
      make('Same.'),
      hook('Other.'),
      make('Same.', required),
      hook('Last.'),
      make('Same.', important),
    ]);
    const ran = await w.fire(shim, prompt);
    expect(told(ran.text)).toEqual([
      ['suggestion', 'Other.'],
      ['required', text],
      ['suggestion', 'Last.'],
    ]);
    expect(logged().sort()).toEqual([
      [1, 'said'],
      [2, 'given'],
      [3, 'given'],
      [4, 'given'],
      [5, 'said'],
    ]);
  });

  it('where the first is declared, with equal priorities', async () => {
    for (const text of ['Same.', '{project_name}']) {
      const { text: given } = await w.fire(shimOf([hook(text), hook('Other.'), hook(text)]), prompt);
      expect(told(given).map(([, inner]) => inner)).toEqual([text === 'Same.' ? 'Same.' : 'shop', 'Other.']);
    }
  });

  it('where a text from a template equals a declared one', async () => {
    const { text } = await w.fire(shimOf([hook('In {project_name}.'), hook('In shop.', important)]), prompt);
    expect(told(text)).toEqual([['important', 'In shop.']]);
  });

  it('by the shell alone, with what is given in the log and in the budget', async () => {
    writeFileSync(config, '{"texts":true}');
    const hooks = [hook('Same.'), hook('A "b".\n\nc'), hook('Same.', important), hook('Z'), hook('Same.')];
    const shim = w.shim('claude-code', 'UserPromptSubmit', hooks, {}, undefined, { node: '/no/node' });
    const ran = await w.fire(shim, prompt, { PATH: w.bare });
    expect(told(ran.text)).toEqual([
      ['suggestion', 'A "b".\n\nc'],
      ['important', 'Same.'],
      ['suggestion', 'Z'],
    ]);
    expect(logged()).toEqual([
      [1, 'said'],
      [2, 'A "b".\n\nc'],
      [3, 'Same.'],
      [4, 'Z'],
      [5, 'said'],
    ]);
    expect(w.log().map(({ chars }) => chars !== undefined)).toEqual([false, true, true, true, false]);
    const sessions = sessionsFolder(w.state, 'claude-code', 'annal');
    const spent = readFileSync(join(sessions, String(prompt.session_id), 'spent'), 'utf8');
    expect(spent).toBe(`${ran.text?.length}\n`);
  });

  it('where matchers overlap', async () => {
    const match = [{ name: '^Bash$' }, { contains: 'mkdir' }, { name: '^B.*$' }, { name: '^Edit$' }];
    const shim = w.shim(
      'claude-code',
      'PostToolUse',
      match.map((one) => ({ text: 'Same.', match: one })),
    );
    expect(told((await w.fire(shim, tool)).text)).toEqual([['suggestion', 'Same.']]);
    expect(logged()).toEqual([
      [1, 'given'],
      [2, 'said'],
      [3, 'said'],
    ]);
  });

  it('where an unmet condition leaves the text to the other hook', async () => {
    const shim = shimOf([hook('Same.', { ...required, when: { files: ['none'] } }), hook('Same.')]);
    expect(told((await w.fire(shim, prompt)).text)).toEqual([['suggestion', 'Same.']]);
    expect(logged()).toEqual([
      [1, 'when.files'],
      [2, 'given'],
    ]);
  });

  it('where a hook rests, and where it gave the text by another one', async () => {
    const rests = hook('Same.', { ...important, cooldownMs: null });
    const shim = shimOf([hook('Same.'), rests, hook('Same.', { cooldownMs: null })]);
    expect(told((await w.fire(shim, prompt)).text)).toEqual([['important', 'Same.']]);
    expect(told((await w.fire(shim, prompt)).text)).toEqual([['suggestion', 'Same.']]);
    expect(logged().slice(3).sort()).toEqual([
      [1, 'given'],
      [2, 'cooldown.session'],
      [3, 'cooldown.session'],
    ]);
  });

  it('where the answer of a tool says a declared text, or that of another call', async () => {
    const hooks = [hook('Same.'), { ...says('Same.'), ...important }, says('Twice.'), says('Twice.')];
    const { text } = await w.fire(shimOf(hooks, served()), prompt);
    expect(told(text)).toEqual([
      ['important', 'Same.'],
      ['suggestion', 'Twice.'],
    ]);
  });

  it('on each client', async () => {
    for (const { id } of sample(CLIENTS, 3)) {
      const name = samplesOf(id).prompt;
      const hooks = [hook('In {project_name}.'), hook('In {project_name}.', important)];
      const ran = await w.fire(w.shim(id, name.split('.')[0] ?? '', hooks), captured(id, name));
      if (ran.text !== undefined) expect(told(ran.text), id).toEqual([['important', 'In shop.']]);
    }
  });
});

describe('equal texts and limits', () => {
  const long = 'x'.repeat(700);

  it('take the room of one', async () => {
    const hooks = [hook(long), hook(long, important), hook('y'.repeat(100))];
    for (const last of ['', '{project_name}']) {
      const shim = shimOf([...hooks, hook(last || 'z')], { eventBudget: 1300, sessionBudget: 1300 });
      expect(told((await w.fire(shim, { ...prompt, session_id: `room${last.length}` })).text)).toHaveLength(
        3,
      );
    }
  });

  it('count as declared where one is', async () => {
    const hooks = [{ ...says(long), ...important }, hook(long), hook('y'.repeat(100)), says('z'.repeat(300))];
    const { text } = await w.fire(shimOf(hooks, { ...served(), eventBudget: 1000 }), prompt);
    expect(told(text).map(([priority, inner = '']) => [priority, inner.length])).toEqual([
      ['important', 700],
      ['suggestion', 100],
    ]);
    expect(logged().filter(([, cause]) => cause !== 'given')).toEqual([
      [4, 'text.dropped'],
      [2, 'said'],
    ]);
  });

  it('are all dropped where there is no room for one', async () => {
    const hooks = [hook('{project_name}'), hook('{project_name}')];
    expect((await w.fire(shimOf(hooks, { sessionBudget: 10 }), prompt)).text).toBeUndefined();
    expect(logged()).toEqual([
      [1, 'budget.session'],
      [2, 'budget.session'],
    ]);
  });
});

describe('texts that are kept', () => {
  const post = (n: number, more: Partial<FireHook> = {}): Partial<FireHook> => ({
    n,
    event: 'post_request',
    ...more,
  });
  const shims = (more: Partial<FireData> = {}) => {
    const both = [post(1), post(2, important)];
    const data = { server: `kept${Object.keys(more).length}`, ...more };
    return {
      stop: w.shim(
        'claude-code',
        'Stop',
        both.map((one) => ({ ...one, does: 'defer', text: 'Save it.' })),
        data,
      ),
      next: w.shim(
        'claude-code',
        'UserPromptSubmit',
        [
          ...both.map((one) => ({ ...one, does: 'emit-deferred' as const })),
          { n: 3, event: 'pre_request', text: 'Save it.' },
        ],
        data,
      ),
      waiting: () => readdirSync(keptTextsFolder(w.state, 'claude-code', data.server)),
    };
  };
  const session = { session_id: String(prompt.session_id) };
  const stop = { ...captured('claude-code', 'Stop'), ...session };

  it('are given once, beside an equal text of the event that carries them, and do not wait on', async () => {
    const all = shims();
    await w.fire(all.stop, stop);
    expect(told((await w.fire(all.next, prompt)).text)).toEqual([
      ['important', 'Save it.'],
      ['suggestion', 'Save it.'],
    ]);
    expect(all.waiting()).toEqual([]);
    expect(told((await w.fire(all.next, prompt)).text)).toEqual([['suggestion', 'Save it.']]);
    expect(logged().slice(2).sort()).toEqual([
      [1, 'said'],
      [2, 'given'],
      [3, 'given'],
      [3, 'given'],
    ]);
  });

  it('all wait on where there was no room', async () => {
    const all = shims({ eventBudget: 120 });
    await w.fire(all.stop, stop);
    expect((await w.fire(all.next, prompt)).text).not.toContain('post_request');
    expect(all.waiting()).toHaveLength(2);
  });
});
