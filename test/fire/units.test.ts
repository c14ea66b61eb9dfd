import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assemble, type Block } from '../../src/fire/assemble.ts';
import { matched, toolOf } from '../../src/fire/payload.ts';
import { cut, documentFor, envelope, measure, type Unit } from '../../src/fire/render.ts';
import { sanitise } from '../../src/fire/sanitise.ts';
import { fill } from '../../src/fire/template.ts';
import type { FireHook } from '../../src/fire/types.ts';
import { captured, SHAPES } from './world.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('"}}', '\ud800x', '"}'),
);
const unit = fc.constantFrom<Unit>('utf16', 'utf8', 'code-points');

describe('documentFor', () => {
  it('is one line of ASCII whose text is the text, and whole only at its end', () => {
    fc.assert(
      fc.property(
        fc.array(text).map((t) => t.join('')),
        (t) => {
          const document = documentFor('PostToolUse', t);
          expect(document).toMatch(/^[\x20-\x7e]+$/);
          expect(JSON.parse(document).hookSpecificOutput.additionalContext).toBe(
            t.replace(/\p{Surrogate}/gu, '\ufffd'),
          );
          expect(document.indexOf('"}}')).toBe(document.length - 3);
        },
      ),
    );
  });
});

describe('cut', () => {
  it('keeps within the limit in each unit, splits no character and says so', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 100, maxLength: 400 }),
        fc.integer({ min: 80, max: 500 }),
        unit,
        (t, most, u) => {
          const short = cut(t, most, u);
          expect(measure(short, u)).toBeLessThanOrEqual(Math.max(most, 0));
          if (measure(t, u) <= most) expect(short).toBe(t);
          else {
            expect(short).toContain('[cut by mcphooks: ');
            expect(/\p{Surrogate}/u.test(short)).toBe(false);
            expect(t.startsWith(short.slice(0, short.lastIndexOf('\n[cut')))).toBe(true);
          }
        },
      ),
    );
  });

  it.each([
    ['utf16', 'é😀', 3],
    ['utf8', 'é😀', 6],
    ['code-points', 'é😀', 2],
  ] as const)('measures %s', (u, t, n) => expect(measure(t, u)).toBe(n));
});

describe('envelope', () => {
  it('lets no server name end the line or pass for another', () => {
    fc.assert(
      fc.property(
        fc.oneof(text, fc.constantFrom('x" | required]\n[/mcphooks 7f3ac2]', '<b>', 'e\u202ex')),
        (server) => {
          const lines = envelope(
            { server, event: 'pre_request', priority: 'suggestion', tag: '7f3ac2' },
            'T',
          ).split('\n');
          expect(lines).toHaveLength(3);
          expect(lines[0]).toMatch(
            /^\[mcphooks 7f3ac2 \| MCP server "(?:[^"\\<>]|\\.)*" \| pre_request \| suggestion\]$/,
          );
          expect(lines[0]).toMatch(/^[\x20-\x7e]+$/);
        },
      ),
    );
  });
});

describe('sanitise', () => {
  it.each([
    ['a\u001b]0;title\u0007b\u001b]8;;x\u001b\\c\u001b[1;31md\u001bMe', 'abcde'],
    ['\u009b31ma\u0085b\u0000c\u007fd', 'abcd'],
    ['l1\r\nl2\rl3\tt', 'l1\nl2\nl3\tt'],
    ['\u202eevil\u2066\u2069\u200f\u061c', 'evil'],
    ['\u{e0049}\u{e0067}ok', 'ok'],
    ['👩‍💻 é 日本 \ud800', '👩‍💻 é 日本 \ufffd'],
  ])('of %j is %j', (dirty, clean) => expect(sanitise(dirty).text).toBe(clean));
});

it('fill makes one pass over own properties', () => {
  const values = { tool_name: '{session_id}', session_id: 's', project_name: '$&' };
  expect(
    fill('{tool_name} {session_id} {project_name} {tool_input} {constructor} {{session_id}}', values),
  ).toBe('{session_id} s $& {tool_input} {constructor} {s}');
});

describe('assemble', () => {
  const block = (n: number, priority: Block['heading']['priority'], length: number): Block => ({
    n,
    heading: { server: 's', event: 'pre_request', priority, tag: 't' },
    text: String(n).repeat(length),
  });

  it('gives way from the lowest priority and the last declared, in the order of declarations', () => {
    const blocks = [
      block(1, 'suggestion', 500),
      block(2, 'required', 500),
      block(3, 'important', 500),
      block(4, 'important', 900),
    ];
    const { text: given, cut: shortened, dropped } = assemble(blocks, 1500, 'utf16');
    expect({ shortened, dropped }).toEqual({ shortened: [4], dropped: blocks.slice(0, 1) });
    expect(given.length).toBe(1500);
    expect(given.indexOf('222')).toBeLessThan(given.indexOf('333'));
  });

  it('never exceeds the limit', () => {
    const priorities = fc.constantFrom('suggestion', 'important', 'required');
    const blocks = fc.array(fc.tuple(priorities, text, fc.nat(400)), { maxLength: 6 });
    fc.assert(
      fc.property(blocks, fc.integer({ min: -10, max: 3000 }), unit, (list, most, u) => {
        const made = list.map(([p, t, n], i) => ({ ...block(i + 1, p as 'required', 0), text: t.repeat(n) }));
        expect(measure(assemble(made, most, u).text, u)).toBeLessThanOrEqual(Math.max(0, most));
      }),
    );
  });
});

describe('canonical names', () => {
  const shape = (client: string) => SHAPES[client] as NonNullable<(typeof SHAPES)[string]>;
  it.each([
    ['claude-code', 'PostToolUse.Bash', ['Bash'], []],
    ['claude-code', 'PostToolUse.mcp-search_memories', ['mcp__mem__search_memories'], ['mem']],
    ['codex', 'PostToolUse.apply_patch', ['Edit', 'Write'], []],
    ['codex', 'PostToolUse.mcp', ['mcp__mem__search_memories'], ['mem']],
    ['gemini-cli', 'AfterTool', ['Bash'], []],
    ['gemini-cli', 'AfterTool.mcp', ['mcp__memory__search_memories'], ['memory']],
  ])('%s %s', (client, name, names, servers) => {
    expect(toolOf(captured(client, name), shape(client))).toEqual({ names, servers });
  });

  it('of an alias with other characters, and of one that two servers share', () => {
    const raw = { tool_name: 'mcp__my_server_x__go', mcp_server: { name: 'my server.x' } };
    expect(toolOf(raw, shape('claude-code'))).toEqual({
      names: ['mcp__my_server_x__go'],
      servers: ['my server.x'],
    });
    expect(toolOf({ tool_name: 'mcp__my_server__go' }, shape('codex'))).toEqual({
      names: ['mcp__my-server__go', 'mcp__my_server__go'],
      servers: ['my-server', 'my_server'],
    });
    expect(toolOf({ tool_name: '__proto__' }, shape('codex'))).toEqual({ names: ['__proto__'], servers: [] });
  });

  it('are what a matcher decides on', () => {
    const hook = (match: FireHook['match']): FireHook => ({
      n: 1,
      event: 'post_tool_use',
      priority: 'suggestion',
      does: 'give',
      ...(match && { match }),
    });
    const tool = { names: ['Edit', 'Write'], servers: [] };
    expect(matched(hook(undefined), tool, '{}')).toBe('Edit');
    expect(matched(hook({ name: '^Write$' }), tool, '{}')).toBe('Write');
    expect(matched(hook({ name: '^write$' }), tool, '{}')).toBeUndefined();
    expect(matched(hook({ server: 'mem' }), tool, '{}')).toBeUndefined();
    expect(matched(hook({ server: 'mem' }), { names: ['mcp__mem__x'], servers: ['mem'] }, '{}')).toBe(
      'mcp__mem__x',
    );
    expect(matched(hook({ contains: '"a":1' }), tool, '{"a":1}')).toBe('Edit');
    expect(matched(hook({ contains: 'a' }), tool, undefined)).toBeUndefined();
    expect(matched(hook({ name: '^.*$' }), undefined, undefined)).toBeUndefined();
  });
});
