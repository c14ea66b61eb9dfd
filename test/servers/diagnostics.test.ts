import { describe, expect, it } from 'vitest';
import { faultText } from '../../src/messages/faults.ts';
import { diagnosticsFor } from '../../src/servers/mcp/diagnostics.ts';

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
    const { quote, addStderr, fault } = diagnosticsFor('run-me', []);
    expect(quote(words)).toBe(text);
    addStderr(Buffer.from(`${words}\n`));
    expect(fault('server.died', { how: 'SIGKILL' }).args).toMatchObject({ stderr: [text] });
  });
});

it('of an error with a stack trace, the line that says what is wrong is kept', () => {
  const { addStderr, fault } = diagnosticsFor('run-me', []);
  const frames = [
    '    at packageResolve (node:internal/modules/esm/resolve:873:9)',
    '    at async Promise.all (index 0)',
    '    at new Promise (<anonymous>)',
    '    at file:///srv/server.mjs:3:1',
    '    at Array.map (<anonymous>)',
    '    at main.Server.run(Server.java:12)',
    '    at java.lang.Thread.run(Native Method)',
    '   at System.IO.File.ReadAllText(String path, Encoding encoding)',
    '   at Program.<Main>$(String[] args) in /src/Program.cs:line 3',
    '    at node:internal/main/run_main_module:28:49 {',
  ];
  const said = [
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod'",
    "  code: 'ERR_MODULE_NOT_FOUND'",
    '}',
  ];
  const noFrames = [
    '  at noon it ends',
    '  at least one of (--key, --token)',
    '  at servers[0].port (found: 12)',
  ];
  addStderr(Buffer.from([said[0], ...frames, ...frames, said[1], said[2], ...noFrames].join('\n')));
  expect(fault('server.died', { how: 1 }).args.stderr).toEqual([...said, ...noFrames]);
});

describe('text on stdout that is no message', () => {
  const told = (...texts: string[]): unknown => {
    const { addNoise, fault } = diagnosticsFor('run-me', ['s3cret']);
    for (const text of texts) addNoise(text);
    return fault('server.timeout', { seconds: 2 }).args.noise;
  };

  it.each([
    ['the first line is told', ['Welcome', 'Ready'], 'Welcome'],
    ['blank ones are not', ['', ' \n'], undefined],
    ['or the line with the answer', ['Welcome', 'Ready{"jsonrpc":"2.0"}'], 'Ready{"jsonrpc":"2.0"}'],
    ['a line without its end grows', ['Wel', 'Welcome to'], 'Welcome to'],
    ['made safe, without secrets', ['\x1b[31mkey s3cret\x07'], 'key ***<U+0007>'],
    ['shortened', ['x'.repeat(10_000)], `${'x'.repeat(300)}…`],
  ])('%s', (_, texts, shown) => expect(told(...texts)).toBe(shown));

  it('has no beginning of a secret at its end, where it may be cut', () => {
    const secret = `tok${'en0123456789'.repeat(800)}`;
    const { addNoise, fault } = diagnosticsFor('run-me', [secret]);
    const noise = (text: string): unknown => {
      addNoise(text);
      return fault('server.timeout', { seconds: 2 }).args.noise;
    };
    expect(noise('The key: toke')).toBe('The key: ***');
    expect(noise(`The key: ${secret.slice(0, 40)}`)).toBe('The key: ***');
    expect(noise(`The key: ${secret}`)).toBe('The key: ***');
    expect(noise(`The key: ${secret} is set`)).not.toContain('token');
  });

  it.each([
    ['in JSON', 'pa"ss\\word-XYZ', JSON.stringify({ key: 'pa"ss\\word-XYZ' }), '{"key":"***"}'],
    ['line by line', 'first-line\nsecond-line\nlast-line', 'is second-line!', 'is ***!'],
  ])('has no secret %s', (_, secret, text, shown) => {
    const { addNoise, addStderr, fault, quote } = diagnosticsFor('run-me', [secret]);
    addNoise(text);
    addStderr(Buffer.from(text));
    const { args } = fault('server.died', { how: 'SIGKILL' });
    expect([args.noise, args.stderr, quote(text)]).toEqual([shown, [shown], shown]);
  });

  it('has no rest of a secret that contains a line of another', () => {
    const { quote } = diagnosticsFor('run-me', ['a-long-first-line\nabcdefgh', 'abcdefgh-rest']);
    expect(quote('key abcdefgh-rest')).toBe('key ***');
  });

  it('is named as the likely reason of a timeout', () => {
    const { addNoise, fault } = diagnosticsFor('run-me', []);
    addNoise('Welcome');
    const text = faultText(fault('server.timeout', { seconds: 2, step: 'initialize' }));
    expect(text).toContain(
      'no answer to initialize within 2 s. Its stdout has text that is no message: Welcome\n',
    );
    expect(text).toContain('writes nothing but messages to stdout');
  });
});
