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

const USAGE = 'npm run create-client <id> -- --title "Its Name" --binary program';

/** Which payload is which, as they would be called. */
const SAMPLES = {
  shell: 'PostToolUse.Bash',
  edit: 'PostToolUse.Edit',
  own: 'PostToolUse.mcp',
  prompt: 'UserPromptSubmit',
  start: 'SessionStart',
};

const { values, positionals } = read();
if (values.help) {
  console.log(`Makes the folder of a client that is like Claude Code, and says what to fill in:\n  ${USAGE}`);
  process.exit(0);
}
const [id = '', ...more] = positionals;
// Without a `--` before them, npm takes the names of options for its own, and leaves their values.
if (more.length > 0) refuse(`'${more.join(' ')}' is not part of an id; write: ${USAGE}`);
if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id))
  refuse('give an id of small letters, digits and single hyphens, such as big-coder');
if (!isVariable(exportName(id)))
  refuse(`'${id}' is a word of JavaScript, and can't be exported; give a longer id, such as ${id}-cli`);

const folder = join(ROOT, 'src/clients', id);
const sessions = join(ROOT, 'test/clients/of', `${id}.mjs`);
if (!existsSync(folder)) create(folder);
else if (!existsSync(join(folder, 'index.ts')))
  refuse(`${relative(ROOT, folder)} is not the folder of a client; give another id`);
else if (Object.keys(values).length > 0)
  refuse(`${relative(ROOT, folder)} exists; change its title and binary there`);
sayWhatIsLeft([...readdirSync(folder).map((name) => join(folder, name)), sessions]);

function read() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        title: { type: 'string' },
        binary: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return refuse(`${error.message}\nwrite: ${USAGE}`);
  }
}

function refuse(why) {
  console.error(`create-client: ${why}`);
  process.exit(2);
}

function isVariable(name) {
  try {
    new Function(`'use strict'; async () => { const ${name} = 0; };`);
    return true;
  } catch {
    return false;
  }
}

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
  if (places.length === 0) return console.log('Nothing is left to fill in.');
  console.log(`To fill in:\n${places.join('\n')}`);
  console.log(
    '\nThis was step 1 of CONTRIBUTING.md, "Add a client, step by step". Fill in src in step 4. In test, fill in what is known, and delete the rest: step 8 needs it.',
  );
}
