// Makes the folder of a client that is like Claude Code, and says what to fill in:
//   npm run create-client <id> [-- --title "Its Name" --binary program]
// Run it again to see what is left.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { exportName, writeGenerated } from './clients.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEMPLATE = join(ROOT, 'scripts/new-client');
/** What a test looks for: no client lands with it. */
const MARK = 'FILL IN';

/** Which payload is which, as they would be called. */
const SAMPLES = {
  shell: 'PostToolUse.Bash',
  edit: 'PostToolUse.Edit',
  own: 'PostToolUse.mcp',
  prompt: 'UserPromptSubmit',
  start: 'SessionStart',
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { title: { type: 'string' }, binary: { type: 'string' } },
});
const [id = ''] = positionals;
if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) {
  console.error('create-client: give an id of small letters, digits and single hyphens, such as big-coder');
  process.exit(2);
}

const folder = join(ROOT, 'src/clients', id);
const sessions = join(ROOT, 'test/clients/of', `${id}.mjs`);
if (!existsSync(folder)) create(folder);
else if (Object.keys(values).length > 0) {
  console.error(`create-client: ${relative(ROOT, folder)} exists; change its title and binary there`);
  process.exit(2);
}
sayWhatIsLeft([...readdirSync(folder).map((name) => join(folder, name)), sessions]);

function create(at) {
  const title =
    values.title ?? id.replace(/(^|-)([a-z])/g, (_, gap, letter) => `${gap && ' '}${letter.toUpperCase()}`);
  const words = { ID: id, NAME: exportName(id), TITLE: title, BINARY: values.binary ?? id };
  mkdirSync(at);
  for (const name of readdirSync(TEMPLATE)) {
    const text = readFileSync(join(TEMPLATE, name), 'utf8');
    writeFileSync(
      name === 'session.mjs.txt' ? sessions : join(at, name.replace(/\.txt$/, '')),
      text.replace(/@([A-Z]+)@/g, (_, word) => words[word]),
    );
  }
  mkdirSync(join(ROOT, 'test/fixtures/payloads', id), { recursive: true });
  writeFileSync(join(ROOT, 'test/fixtures/samples', `${id}.json`), `${JSON.stringify(SAMPLES, null, 2)}\n`);
  writeGenerated();
}

function sayWhatIsLeft(files) {
  const places = files
    .filter((file) => existsSync(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => {
          const [, what] = line.split(`${MARK}: `);
          return what ? [`  ${relative(ROOT, file)}:${index + 1}  ${what}`] : [];
        }),
    );
  console.log(places.length === 0 ? 'Nothing is left to fill in.' : `To fill in:\n${places.join('\n')}`);
  console.log('\nGo on with step 2 of CONTRIBUTING.md, "Add a client, step by step".');
}
