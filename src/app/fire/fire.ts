import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from '../../base/quietly.ts';
import { readFile, readNames } from '../../base/read-file.ts';
import { clientById } from '../../clients/index.ts';
import { keptTextsFolder } from '../../fire/own-folders.ts';
import { at } from '../../fire/payload.ts';
import { projectOf } from '../../fire/project.ts';
import { isFor, wasGiven } from '../../fire/session/kept-texts.ts';
import { activeScopes, type Here } from '../../inspect/scopes.ts';
import { stateOwner } from '../../plan/scopes/scope.ts';
import { calledDeclaration } from '../../shims/entry-owner.ts';
import type { ServerRecord } from '../../store/types.ts';
import { samplePayload, sequence } from './sample-payload.ts';
import { shellReasons } from './shell-reasons.ts';
import { type FireRequest, installedShims, runShim, type ShimRun, shimData } from './shim-run.ts';

/**
 * Runs the installed shims of one event as the client would, in the order of a session. A text kept for later appears
 * in the firing that prints it.
 */
export function fireInstalled(record: ServerRecord, request: FireRequest): ShimRun[] {
  const client = clientById(request.client);
  const { scope, shims } = installedShims(record, request);
  const [session, nextSession] = [request.session ?? randomUUID(), randomUUID()];
  const one = ({ key, shim }: { key: string; shim: string }, native: string, next: boolean): ShimRun => {
    const n = calledDeclaration(key);
    if (n !== undefined) return { native, shim, ms: 0, code: 0, why: [{ code: 'client.calls', n }] };
    const moment = { native, session: next ? nextSession : session };
    const payload = samplePayload(client, moment, request, [record.server]);
    const ran = runShim(shim, payload, client, request);
    const silent = ran.text === undefined && ran.why.length === 0;
    return {
      native,
      shim,
      ...ran,
      ...(silent && { why: shellReasons(shim, payload, record, { ...request, scope }) }),
    };
  };
  const { root } = projectOf(request.cwd);
  const given = at(request.payload, client.protocol.input.session);
  const isMine = (name: string): boolean => isFor(name, root, typeof given === 'string' ? given : session);
  return keepingKept(
    keptTextsFolder(scope.paths.state, client.id, record.server, stateOwner(scope)),
    isMine,
    () =>
      sequence(client, request).flatMap(({ native, next }) =>
        shims.filter(({ event }) => event === native).map((shim) => one(shim, native, next)),
      ),
  );
}

/**
 * True when an install that takes precedence over the requested one, the user's or in a project the one at scope local,
 * has a hook of the event on this client.
 */
export async function precedingFires(
  record: ServerRecord,
  request: FireRequest,
  here: Here,
): Promise<boolean> {
  const states = await activeScopes(here);
  return states
    .filter(({ scope }) => !scope.shared && scope.name !== request.scope.name)
    .flatMap(({ scope, servers }) => servers.map((other) => ({ scope, other })))
    .filter(({ other }) => other.server === record.server)
    .some(({ scope, other }) =>
      other.declarations.some(
        ({ event }, i) =>
          event === request.event && nativesOf(other, i + 1, { ...request, scope }).length > 0,
      ),
    );
}

/** Returns the native events at which an install carries a declaration. A shim whose data can't be read counts. */
export function nativesOf(record: ServerRecord, n: number, request: FireRequest): string[] {
  const holding = installedShims(record, request).shims.filter(({ key, shim }) => {
    const called = calledDeclaration(key);
    if (called !== undefined) return called === n;
    const data = shimData(shim);
    return !data || data.hooks.some((hook) => hook.n === n);
  });
  return holding.map(({ event }) => event);
}

/**
 * Runs `act`, restores those of its own kept texts that `act` consumed, and removes the files that `act` left for them.
 * Texts for other sessions stay as those leave them.
 */
function keepingKept<T>(folder: string, isMine: (name: string) => boolean, act: () => T): T {
  const names = readNames(folder).filter(isMine);
  const before = names.flatMap((name) => {
    const file = join(folder, name);
    // Another fire can take a text at any time.
    const text = quietly(() => readFile(file));
    return wasGiven(name) || text === undefined ? [] : [{ file, text }];
  });
  try {
    return act();
  } finally {
    const left = readNames(folder).filter((name) => wasGiven(name) && isMine(name) && !names.includes(name));
    for (const name of left) rmSync(join(folder, name), { force: true });
    for (const { file, text } of before) if (!existsSync(file)) writeFileSync(file, text, { mode: 0o600 });
  }
}
