#!/usr/bin/env node
import { lostOf, write } from '../base/terminal.ts';
import { VERSION } from '../base/version.ts';

// Scripts often ask only for the version, which needs no other module.
const [word, ...more] = process.argv.slice(2);
const isVersion = (word === '--version' || word === '-V') && more.length === 0;
if (isVersion) write(1, `${VERSION}\n`);
// The whole program says why a version can't be written.
if (!isVersion || lostOf(1) !== undefined) {
  void import('./start.ts').then(({ start }) => start());
}
