/** One real session of a client: its prompts one after the other, against a fake model. */
import { fakeModel } from './models/server.mjs';
import { NothingSaid, OF, said } from './of.mjs';
import { noTerminal, ownRequests, typed } from './tui.mjs';
import { run } from './world.mjs';

/**
 * `client`: of installClient(). `prompts`: [{ prompt?, turns, sub? }]; the second and later continue the session.
 * `trust`: 'review' (hooks reviewed as a person does it), or a word that the client's `args` knows. `more`: further
 * arguments. `terminal`: whether it is held at a terminal; else where some events come there only.
 * `port`: the model's, for all prompts; by default any free one.
 * Returns the last exit code that was not 0, all output, and the model requests but for a client's side requests, such
 * as one for a title: [{ run, kind, body }].
 */
export async function session(client, how) {
  const { drive, review, atTerminal = [] } = OF[client.id];
  if (how.trust === 'review') await review(client, how.world, { cwd: how.cwd });
  if (drive) return drive(client, how);
  const { terminal = atTerminal.length > 0 } = how;
  const alone = OF[client.id].hearsOne?.(client.version) ?? false;
  if (!terminal) return { ...(await headless(client, how)), alone };
  if (noTerminal) throw new NothingSaid(noTerminal);
  return { ...(await typed(client, how)), alone };
}

async function headless(client, { world, prompts, env = {}, allow = [], more = [], ...how }) {
  const { timeoutMs, cwd = world.project } = how;
  const variant = { client };
  const { headlessEnv } = OF[client.id];
  const result = { code: 0, stdout: '', stderr: '', requests: [], unused: 0 };
  for (const [i, { prompt = `prompt ${i + 1}`, turns, sub }] of prompts.entries()) {
    const fake = await fakeModel(
      said(variant, 'dialect'),
      { main: turns, ...(sub ? { sub } : {}) },
      how.port ?? result.port,
    );
    const args = said(variant, 'args')({ ...how, prompt, again: i > 0, allow, url: fake.url, world });
    const ended = await run([...client.command, ...args, ...more], {
      cwd,
      env: { ...world.env, ...said(variant, 'env')(fake.url), ...headlessEnv, ...env },
      timeoutMs,
    });
    result.requests.push(...ownRequests(fake.requests, i));
    result.code = ended.code === 0 ? result.code : ended.code;
    result.stdout += ended.stdout;
    result.stderr += ended.stderr;
    result.unused += fake.unused();
    result.port = Number(new URL(fake.url).port);
    await fake.close();
  }
  return result;
}
