import { expect, it } from 'vitest';
import { isReachable } from '../../src/app/server/tool-access.ts';
import { canonicalUrl, reachableUrl } from '../../src/servers/url.ts';
import { http } from './definitions.ts';

const same = [
  'https://a.example/${TOKEN}/x?b=${B}&c=$C',
  'https://${HOST}/',
  'https://good.example${X}/',
  'http://127.0.0.1:${PORT}/mcp',
  'http://127.0.0.1:64000/${SAFE_PORT}',
  'https://a.example:64001/a?b=${A}&c=${B}',
  'https://ref0.invalid/${A}/ref1.invalid',
  'https://ref.invalid/',
  '${BASE}/mcp',
  '${HOST}:${PORT}/',
  'https://a.example/{env:TOKEN}/x?b={env:B}',
  'https://{env:HOST}:{env:PORT}/',
  '{env:BASE}/mcp',
  '{env:BASE}',
];
it.each(same)('%s is reached as it is shown', (url) => expect(canonicalUrl(url)).toBe(url));

it.each([
  ['https://EXAMPLE.com:443/a', 'https://example.com/a'],
  ['https://a.example/x/../${A}', 'https://a.example/${A}'],
])('%s is shown as it is reached', (url, shown) => expect(canonicalUrl(url)).toBe(shown));

// The text holds what stands for a variable while it is parsed, in some spelling, or parsing drops the variable.
it.each([
  'https://ref.invalid/?x=${HOST}',
  'https://%72ef.invalid/${A}',
  'https://ＲＥＦ.invalid/${A}',
  'http://127.0.0.1:64000/:${A}/',
  'http://127.0.0.1:${PORT}/:64000/',
  'https://a.example/${A}/../b',
  'https://a.example/${A',
  'http://127.0.0.1:80/{env:AWS_SECRET_ACCESS_KEY}/../mcp',
  'https://a.example/{env:A',
  'https://{env:USER}:x@a.example/',
])('%s is never reached', (url) => expect(canonicalUrl(url)).toBeUndefined());

it.each(['${BASE}', '{env:BASE}/mcp'])('%s may be reached, as far as is known without its variable', (url) =>
  expect(isReachable(http(url))).toBe(true),
);

it.each(['localhost', '127.0.0.1', '127.9.8.7', '[::1]'])('%s is this machine', (host) =>
  expect(reachableUrl(`http://${host}:1/mcp`)).toBeInstanceOf(URL),
);

// The machine's resolver decides where these lead.
it.each(['mcp.localhost', 'a.b.localhost', 'localhost.', 'localhost.example.com', '[::2]'])(
  '%s may be another machine',
  (host) => expect(reachableUrl(`http://${host}:1/mcp`)).toBe('plain-http'),
);
