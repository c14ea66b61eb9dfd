/** One real session of a client: its prompts one after the other, headless, against a fake model. */
import { byClient } from './by-client.mjs';
import { trustHooks } from './codex-trust.mjs';
import { anthropic } from './models/anthropic.mjs';
import { gemini } from './models/gemini.mjs';
import { openai } from './models/openai.mjs';
import { fakeModel } from './models/server.mjs';
import { run } from './world.mjs';

const toml = (value) => JSON.stringify(value);

/** How each client is told where its model is, and how a prompt starts or continues a session. */
export const CLIENTS = byClient('session.mjs', {
  'claude-code': {
    dialect: anthropic,
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      IS_SANDBOX: '1', // else it refuses to run as root
    }),
    args: ({ prompt, again, model, allow }) => [
      '-p',
      prompt,
      ...(again ? ['--continue'] : []),
      ...(model ? ['--model', model] : []),
      // The default mode of some versions asks the model for permission, which a script can't answer.
      ...[
        '--permission-mode',
        'acceptEdits',
        '--allowedTools',
        ['Bash', 'Write', 'Read', 'Agent', ...allow].join(','),
      ],
    ],
  },
  codex: {
    dialect: openai,
    env: () => ({ FAKE_KEY: 'dummy' }),
    args: ({ prompt, again, model = 'gpt-5.5', url, trust = 'bypass', trustProject, world }) => [
      'exec',
      ...(again ? ['resume', '--last'] : []),
      '--skip-git-repo-check',
      '--json',
      '--dangerously-bypass-approvals-and-sandbox',
      ...(trust === 'bypass' ? ['--dangerously-bypass-hook-trust'] : []),
      ...codexSettings(url, model),
      ...(trustProject ? ['-c', `projects=${`{${toml(world.project)}={trust_level="trusted"}}`}`] : []),
      prompt,
    ],
  },
  'gemini-cli': {
    dialect: gemini,
    env: (url) => ({
      GEMINI_API_KEY: 'dummy',
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_NO_RELAUNCH: 'true',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_TELEMETRY_ENABLED: 'false',
      NO_BROWSER: '1',
    }),
    // Naming the model avoids a side request to a router.
    args: ({ prompt, again, model = 'gemini-2.5-flash' }) => [
      ...['-m', model, '--approval-mode', 'yolo'],
      ...(again ? ['--resume', 'latest'] : []),
      ...['-p', prompt],
    ],
  },
});

/** Codex takes its provider from the command line, so that the user's config.toml stays what the test wrote. */
export function codexSettings(url, model) {
  const provider = { name: 'fake', base_url: `${url}/v1`, wire_api: 'responses', env_key: 'FAKE_KEY' };
  const table = Object.entries({
    ...provider,
    request_max_retries: 0,
    stream_max_retries: 0,
    supports_websockets: false,
  });
  const entries = [
    ['model', toml(model)],
    ['model_provider', toml('fake')],
    ['check_for_update_on_startup', 'false'],
    ['model_providers.fake', `{${table.map(([k, v]) => `${k}=${toml(v)}`).join(',')}}`],
  ];
  return entries.flatMap(([k, v]) => ['-c', `${k}=${v}`]);
}

/**
 * `client`: an entry of installClients(). `prompts`: [{ prompt?, turns, sub? }]; the second and later continue the session.
 * `trust` (Codex): 'bypass', 'review' (hooks trusted as its dialog does it), 'none'. `more`: further arguments.
 * Returns the last exit code that was not 0, all output, and all model requests: [{ run, kind, body }].
 */
export async function session(
  client,
  {
    world,
    prompts,
    env = {},
    model,
    trust,
    trustProject,
    allow = [],
    more = [],
    timeoutMs,
    cwd = world.project,
  },
) {
  const { dialect, ...how } = CLIENTS[client.id];
  const result = { code: 0, stdout: '', stderr: '', requests: [], unused: 0 };
  if (client.id === 'codex' && trust === 'review') await trustHooks(client, world, { cwd });
  for (const [i, { prompt = `prompt ${i + 1}`, turns, sub }] of prompts.entries()) {
    const fake = await fakeModel(dialect, { main: turns, ...(sub ? { sub } : {}) });
    const args = how.args({ prompt, again: i > 0, model, allow, url: fake.url, trust, trustProject, world });
    const ended = await run([...client.command, ...args, ...more], {
      cwd,
      env: { ...world.env, ...how.env(fake.url), ...env },
      timeoutMs,
    });
    result.requests.push(...fake.requests.map((r) => ({ run: i, ...r })));
    result.code = ended.code === 0 ? result.code : ended.code;
    result.stdout += ended.stdout;
    result.stderr += ended.stderr;
    result.unused += fake.unused();
    await fake.close();
  }
  return result;
}

/** Where the model was sent `needle`: [{ request (from 0), run, kind, path, role, text }], each string value once. */
export function seen(requests, needle) {
  const hits = [];
  const walk = (value, path, role, at) => {
    if (typeof value === 'string') {
      if (value.includes(needle)) hits.push({ ...at, path, role, text: value });
    } else if (value && typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) walk(inner, `${path}/${key}`, value.role ?? role, at);
    }
  };
  requests.forEach(({ run: turn, kind, body }, request) => {
    walk(body, '', undefined, { request, run: turn, kind });
  });
  return hits;
}
