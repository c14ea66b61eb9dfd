/** Trusts every hook of a Codex home as the dialog "Trust all and continue" does, through `codex app-server`. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Returns what `hooks/list` says: { hooks: [{ key, currentHash, trustStatus }], warnings }. */
export async function trustHooks(client, world, { only = () => true, cwd = world.project } = {}) {
  const child = spawn(client.command[0], ['app-server'], {
    cwd,
    env: { ...world.env, FAKE_KEY: 'dummy' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const deadline = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const ask = (method, params) =>
    new Promise((done, fail) => {
      const id = waiting.size + 1;
      waiting.set(id, ({ result, error }) =>
        error ? fail(new Error(`${method}: ${error.message}`)) : done(result),
      );
      child.once('exit', () => fail(new Error(`codex app-server ended before ${method}`)));
      send({ id, method, params });
    });
  try {
    await ask('initialize', {
      clientInfo: { name: 'test', title: 'test', version: '0' },
      capabilities: { experimentalApi: true },
    });
    send({ method: 'initialized', params: {} });
    const listed = (await ask('hooks/list', { cwds: [cwd] })).data[0];
    const value = Object.fromEntries(
      listed.hooks.filter(only).map((h) => [h.key, { trusted_hash: h.currentHash }]),
    );
    await ask('config/batchWrite', {
      edits: [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }],
      reloadUserConfig: true,
    });
    return listed;
  } finally {
    const closed = new Promise((done) => child.once('close', done));
    child.stdin.end();
    child.kill('SIGTERM');
    await closed;
    clearTimeout(deadline);
  }
}
