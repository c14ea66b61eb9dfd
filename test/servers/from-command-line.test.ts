import { expect, it } from 'vitest';
import { commandLineDefinition } from '../../src/servers/definitions/from-command-line.ts';

const withHeader = (header: string) => () => commandLineDefinition([], 'http://127.0.0.1:1/mcp', [header]);

it('takes headers of one line, and keeps variables', () => {
  expect(withHeader('Authorization: Bearer ${TOKEN}')()).toMatchObject({
    headers: { Authorization: 'Bearer ${TOKEN}' },
  });
  expect(withHeader('A: x\ty\r\n')()).toMatchObject({ headers: { A: 'x\ty' } });
  for (const header of ['A', 'A B: c', 'A: x\ny', 'A: x\ry', 'A: \0y', 'A: x\u0007', 'A: \u001b[31m', 'A: €'])
    expect(withHeader(header)).toThrow(expect.objectContaining({ code: 'usage.header' }));
});

it('takes a URL of HTTP only, also for a command that reaches no server', () => {
  const to = (url: string) => () => commandLineDefinition([], url, []);
  for (const url of ['https://example.org/mcp', 'http://example.org/mcp', 'http://${HOST}/mcp'])
    expect(to(url)()).toMatchObject({ url });
  for (const url of ['mcp', '${HOST}/mcp'])
    expect(to(url)).toThrow(expect.objectContaining({ code: 'usage.url' }));
  for (const url of ['file:///x', 'file:///my docs', 'ftp://user:word@example.org', 'localhost:1234'])
    expect(to(url)).toThrow(expect.objectContaining({ code: 'server.url' }));
});
