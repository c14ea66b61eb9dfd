#!/usr/bin/env node
import { lostOf, write } from '../base/terminal.ts';
import { VERSION } from '../base/version.ts';

// Scripts often ask only for the version, which needs no other module.
const [word, ...more] = process.argv.slice(2);
if ((word === '--version' || word === '-V') && more.length === 0) {
  write(1, `${VERSION}\n`);
  if (lostOf(1) !== undefined) process.exitCode = 1;
} else {
  void import('./start.ts').then(({ start }) => start());
}
