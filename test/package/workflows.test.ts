import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

describe.each(readdirSync(folder))('.github/workflows/%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');

  it('runs scripts that there are', () => {
    const scripts = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script);
    expect(scripts.filter((script) => !(String(script) in manifest.scripts))).toEqual([]);
  });

  it('names no host', () => {
    expect(text).not.toMatch(/https?:\/\/|registry-url/);
  });
});

it('the tests run on the oldest version of Node that the package takes, and on every system', () => {
  const text = readFileSync(join(folder, 'test.yml'), 'utf8');
  const oldest = /\d+/.exec(manifest.engines.node)?.[0];
  expect(text).toContain(`node: [${oldest}, `);
  for (const system of ['ubuntu', 'macos', 'windows']) expect(text).toContain(`${system}-latest`);
});
