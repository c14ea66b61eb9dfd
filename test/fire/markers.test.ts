import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Marker } from '../../src/fire/session/markers.ts';

const template = (name: string): string =>
  readFileSync(new URL(`../../templates/${name}`, import.meta.url), 'utf8');

it('the shell reads and writes markers of the names that the runtime has', () => {
  const inFolder = [...template('shim.sh').matchAll(/\$k\/\$s\/(\w+)/g)].map(([, name]) => name);
  const own: Marker[] = ['once', 'ended', 'spent'];
  expect([...new Set(inFolder)].sort()).toEqual(own.sort());
  // The others it takes from files beside it (src/shims/condition-files.ts). In the log it tells by them what stops a hook.
  const stopping = [...template('log.sh').matchAll(/" (\w+\.)\$t:/g)].map(([, name]) => `${name}1`);
  const marks: Marker[] = ['cooldown.1', 'called.1'];
  expect([...new Set(stopping)].sort()).toEqual(marks.sort());
});
