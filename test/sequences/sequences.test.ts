import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LONG, often } from '../effort.ts';
import { checkAgreement, documented, installChecked, uninstallChecked } from './invariants.ts';
import { endModel, isOwn, type Model, makeModel, type Root } from './model.ts';
import { act, anyStep, FOLDERS, gentleStep, install, type Step, uninstallWords } from './steps.ts';
import { contentOf, type UserFile, userFiles } from './user-files.ts';

const effort = often();
/** A run takes dozens of commands. `npm run fuzz` looks for new ones. */
const RUNS = effort.seed === undefined ? { numRuns: 5, seed: 1 } : effort;
const MOST_STEPS = 6;

const files = fc.record({ home: userFiles, project: userFiles, tree: userFiles });

async function take(model: Model, step: Step): Promise<void> {
  if (step.kind === 'install') await installChecked(model, step);
  else if (step.kind === 'uninstall') await documented(model, step.folder, ...uninstallWords(step));
  else if (step.kind === 'toggle') await documented(model, step.folder, step.to, step.server);
  else act(model, step);
}

/** Works in a world with these files; a failure tells all that was done there. */
async function inModel(of: Record<Root, UserFile[]>, work: (model: Model) => Promise<void>): Promise<void> {
  const model = makeModel(of);
  try {
    await work(model);
  } catch (error) {
    if (error instanceof Error) error.message += `\n${model.told.join('\n')}`;
    throw error;
  } finally {
    endModel(model);
  }
}

/** Steps, then what reads, and in the end an uninstall of all. */
const holds = (steps: fc.Arbitrary<Step>) =>
  fc.asyncProperty(
    files,
    fc.array(steps, { minLength: 1, maxLength: MOST_STEPS }),
    fc.constantFrom(...FOLDERS),
    (of, taken, folder) =>
      inModel(of, async (model) => {
        for (const step of taken) await take(model, step);
        await checkAgreement(model, folder);
        await uninstallChecked(model);
      }),
  );

it.runIf(LONG)(
  'commands and edits of the user’s own parts, in any order, leave each file as its user made it',
  async () => {
    await fc.assert(holds(gentleStep), RUNS);
  },
);

it.runIf(LONG)('whatever a user does to our entries, scripts and record, what is theirs stays', async () => {
  await fc.assert(holds(anyStep), RUNS);
});

const clientFiles = ({ world }: Model): [string, string][] =>
  Object.entries(world.files())
    .filter(([path]) => !isOwn(path))
    .map(([path, bytes]) => [path, Buffer.from(bytes, 'latin1').toString()]);
/** What stands in the files, in any order of members. */
const contents = (all: [string, string][]): object =>
  Object.fromEntries(
    all.map(([path, text]) => [path, /\.(json|toml)$/.test(path) ? contentOf(path, text) : text]),
  );

it.runIf(LONG)(
  'a server that came and went leaves another one’s install as it is without the first',
  async () => {
    const two = fc
      .tuple(install, install)
      .filter((both) => both[0].server !== both[1].server && both.every(({ clients }) => clients));
    await fc.assert(
      fc.asyncProperty(files, two, fc.boolean(), (of, [guest, host], first) =>
        inModel(of, async (model) => {
          const { scope, folder } = host;
          const leave = ({ server }: typeof host) =>
            documented(
              model,
              folder,
              ...uninstallWords({ ...host, kind: 'uninstall', server, clients: null }),
            );
          await installChecked(model, host);
          const alone = clientFiles(model);
          if (first) await leave(host);
          await installChecked(model, { ...guest, scope, folder });
          if (first) await installChecked(model, host);
          await leave(guest);
          const now = clientFiles(model);
          if (first) expect(contents(now)).toEqual(contents(alone));
          else expect(now).toEqual(alone);
          await uninstallChecked(model);
        }),
      ),
      RUNS,
    );
  },
);
