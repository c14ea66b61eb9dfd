import { expect, it } from 'vitest';
import { listed } from '../../src/base/listed.ts';
import type { Client } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { page } from './page.ts';

// The lists of clients on the pages are what the clients' folders say.

type OnWindows = Client['hooks']['windows'];

const which = (are: (windows: OnWindows) => boolean): string[] =>
  CLIENTS.filter(({ hooks }) => are(hooks.windows)).map(({ title }) => title);

const fires = which(({ project }) => project === 'fires');
const withGitBash = which(({ project }) => project === 'git-bash');

it('docs/teams.md names the clients in which the hooks of a project fire', () => {
  expect(page('teams.md')).toContain(
    `On Windows, a project's hooks fire in ${listed(fires)}, and in ${listed(withGitBash)} only with Git Bash`,
  );
});

it('docs/limits.md names the clients in which the hooks of a project fire', () => {
  const [row = ''] = page('limits.md').match(/^\| hooks of a \*\*project\*\* .*/m) ?? [];
  expect(row).toContain(`of a project on ${fires.join(', ')}: they fire.`);
  for (const title of withGitBash) expect(row).toMatch(new RegExp(`[Oo]n ${title}: if it .*Git Bash`));
});

it('docs/limits.md says what starts a hook', () => {
  const [row = ''] = page('limits.md').match(/^\| hooks on \*\*Windows\*\* without PowerShell .*/m) ?? [];
  expect(row).toContain(`${listed(which(({ form }) => form === 'exec'))}: they fire`);
  expect(row).toContain(`${listed(which(({ form }) => form === 'powershell'))} need PowerShell`);
  expect(page('limits.md')).toContain(
    `\`install\` refuses ${listed(which(({ form }) => form === 'cmd'))}, and`,
  );
});

it('docs/limits.md names the clients in which one entry serves all servers', () => {
  const shared = CLIENTS.filter(({ natives }) => Object.values(natives).some(({ textsUsed }) => textsUsed));
  const titles = shared.map(({ title }) => title);
  expect(page('limits.md')).toContain(`on **Windows** (${titles.join(', ')})`);
  expect(page('limits.md')).toContain(
    `and on ${listed(titles)} at events where one entry serves all servers`,
  );
});

it.each([
  'text after a tool that **failed**',
  'text at a tool call that a **permission rule refuses**',
  'hooks that fire **right after the install**',
])('docs/limits.md says of every client: %s', (what) => {
  const row = page('limits.md')
    .split('\n')
    .find((line) => line.startsWith(`| ${what} |`));
  expect(CLIENTS.map(({ title }) => title).filter((title) => !row?.includes(title))).toEqual([]);
});

it('docs/privacy.md names the clients in which entries pass texts to each other', () => {
  const passing = CLIENTS.filter(({ natives }) =>
    Object.values(natives).some(({ textsUsed }) => typeof textsUsed === 'string'),
  );
  const [row = ''] = page('privacy.md').match(/^\| texts that an entry of one scope passes .*/m) ?? [];
  expect(row).toContain(`(${passing.map(({ title }) => title).join(', ')})`);
});
