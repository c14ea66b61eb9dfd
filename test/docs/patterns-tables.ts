import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lint } from '../../src/api/authoring.ts';
import { clientById } from '../../src/clients/index.ts';
import { onClients, root, row } from './page.ts';

const folder = join(root, 'examples/patterns');

/** Hooks that people wrote by hand: what each does, and its declaration or why there is none. */
interface Pattern {
  n: number;
  /** A public repository; '' where its name isn't known. */
  of: string;
  does: string;
  /** Names of examples, and declarations where no example is it. */
  said?: (string | object)[];
  not?: string;
}

interface Example {
  replaces: string;
  /** Codes of lint's warnings, each with why the example stays. */
  warns?: Record<string, string>;
}

export const { examples: EXAMPLES, patterns: PATTERNS } = JSON.parse(
  readFileSync(join(root, 'test/fixtures/patterns.json'), 'utf8'),
) as { examples: Record<string, Example>; patterns: Pattern[] };

export const exampleNames = (): string[] => readdirSync(folder).map((file) => basename(file, '.json'));

export const exampleText = (name: string): string => readFileSync(join(folder, `${name}.json`), 'utf8');

/** Lint's report on an example, read from its file. */
export function linted(name: string) {
  const { $schema: _, ...document } = JSON.parse(exampleText(name));
  return lint(document);
}

const file = (name: string): string => `\`${name}.json\``;

function exampleRow(name: string, { replaces }: Example): string {
  const cells = linted(name).clients.map(({ client, hooks: [hook] }) => {
    const either = hook?.notes.some(({ code }) => code === 'when.outcome-either');
    return [clientById(client).title, `${hook?.fidelity}${either ? ', whatever the outcome' : ''}`] as const;
  });
  return row([`[${file(name)}](../examples/patterns/${name}.json)`, replaces, onClients(cells)]);
}

const warnings = (): string[] =>
  Object.entries(EXAMPLES).flatMap(([name, { warns = {} }]) =>
    Object.entries(warns).map(([code, why]) => `- ${file(name)}, \`${code}\`: ${why}.`),
  );

/** Tables in docs/authors.md, by the names of their places there. */
export function patternTables(): Record<string, string> {
  const said = PATTERNS.filter((pattern) => pattern.said);
  const not = PATTERNS.filter((pattern) => pattern.not);
  return {
    examples: [
      row(['example', 'what it replaces', 'fidelity']),
      row(['---', '---', '---']),
      ...Object.entries(EXAMPLES).map(([name, example]) => exampleRow(name, example)),
      '',
      '`lint` finds no errors in them, and these warnings:',
      '',
      ...warnings(),
    ].join('\n'),
    patterns: [
      `mcphooks covers ${said.length} of ${PATTERNS.length} such hooks in public repositories. It doesn't cover these ${not.length}:`,
      '',
      row(['repository', 'what the hook does', 'why not']),
      row(['---', '---', '---']),
      ...not.map(({ of, does, not: why = '' }) => row([of, does, why])),
    ].join('\n'),
  };
}
