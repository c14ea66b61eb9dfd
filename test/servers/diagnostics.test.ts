import { describe, expect, it } from 'vitest';
import { diagnosticsFor } from '../../src/servers/mcp/channel.ts';

describe("a server's words are quoted without terminal sequences", () => {
  it.each([
    ['CSI', '\x1b[31mred\x1b[0m', 'red'],
    ['OSC', '\x1b]0;title\x07text', 'text'],
    ['DCS', '\x1bP1$r0m\x1b\\text', 'text'],
    ['APC', '\x1b_note\x1b\\text', 'text'],
    ['CSI in C1', '\x9b31mred', 'red'],
    ['DCS in C1', '\x901$r0m\x9ctext', 'text'],
    ['a character set', '\x1b(Btext', 'text'],
  ])('%s', (_, words, text) => {
    const { quote, addStderr, fault } = diagnosticsFor('run-me', [], 1e6);
    expect(quote(words)).toBe(text);
    addStderr(Buffer.from(`${words}\n`));
    expect(fault('server.died', { how: 'SIGKILL' }).args).toMatchObject({ stderr: [text] });
  });
});
