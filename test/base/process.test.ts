import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { expect, it } from 'vitest';
import { recordedProcess } from '../../src/base/process.ts';
import { WINDOWS } from '../platform.ts';

// Only Wine's drive of temporary files is the tests' own.
it.runIf(WINDOWS && process.env.MCPHOOKS_WINE === '1')(
  'a folder /proc says nothing of a process on Windows',
  () => {
    const { pid } = process;
    const proc = join(parse(tmpdir()).root, 'proc');
    const before = process.cwd();
    try {
      for (const folder of [`${pid}`, 'sys/kernel/random'])
        mkdirSync(join(proc, folder), { recursive: true });
      writeFileSync(join(proc, `${pid}/stat`), `${pid} (node) S ${'1 '.repeat(30)}`);
      writeFileSync(join(proc, 'sys/kernel/random/boot_id'), 'made-up\n');
      process.chdir(parse(proc).root);
      expect(recordedProcess(pid)).toEqual({ pid });
    } finally {
      process.chdir(before);
      rmSync(proc, { recursive: true, force: true });
    }
  },
);
