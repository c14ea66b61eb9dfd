#!/usr/bin/env node
import { createRequire } from 'node:module';

// Scripts ask for the version before they do anything else: that needs nothing loaded.
const [word, ...more] = process.argv.slice(2);
if ((word === '--version' || word === '-V') && more.length === 0) {
  process.stdout.write(`${process.env.MCPHOOKS_VERSION}\n`);
} else {
  createRequire(import.meta.url)('./cli.cjs');
}
