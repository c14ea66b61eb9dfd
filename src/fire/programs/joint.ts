import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { jsonOrUndefined } from '../../base/json-value.ts';
import { quietly } from '../../base/quietly.ts';
import { readText } from '../../base/read-file.ts';
import type { Unit } from '../../clients/client.ts';
import { type HookEvent, PRIORITIES, type Priority } from '../../declarations/types.ts';
import { type JointData, LAST_NEEDLE } from '../format.ts';
import { log } from '../log.ts';
import { hookPaths, keptTextsFolder, sessionsFolder } from '../own-folders.ts';
import { at } from '../payload.ts';
import { giveBack } from '../session/kept-texts.ts';
import { takeBack, textId } from '../session/session.ts';
import { cutWithin, LEAST } from '../text/cut.ts';
import { BETWEEN, documentFor, measure, outputOf, sizeOf } from '../text/render.ts';

/** One declaration's text with its naming lines, as a script printed it. */
interface Told {
  whole: string;
  server?: string;
  event?: HookEvent;
  /** Random tag of the naming lines. */
  tag?: string;
  /** The higher the priority, the higher the rank. */
  rank: number;
}

/** Milliseconds for all scripts where no shell runs them. */
const DEADLINE_MS = 25_000;

/** Milliseconds until a tool is asked again whose answer had no room. */
const ASK_AGAIN_MS = 25_000;

/**
 * The program for the entries that serve all servers (templates/joint.sh): `node joint.cjs <script> <cap>`, with the
 * documents of their scripts on stdin, a line each. Prints one document with the texts that fit, and logs the others,
 * which are those of lowest priority. Only a text that never fits whole is cut. `node joint.cjs <script>` (Windows,
 * where no shell does that) runs the scripts, with the payload on stdin.
 */
async function main(): Promise<void> {
  const [, , script = '', most] = process.argv;
  const data = JSON.parse(readText(`${script}.json`)) as JointData;
  const { client, native, unit, cap, output = outputOf(native), silent } = data;
  const input = readFileSync(0);
  const documents = most === undefined ? await documentsOf(script, input) : input.toString().split('\n');
  const told = documents.flatMap((line) => textsIn(textOf(line, output.text)));
  const dropped: (() => void)[] = [];
  const ranked = told.sort((a, b) => b.rank - a.rank);
  const given = fitted(ranked, Number(most ?? cap ?? Number.POSITIVE_INFINITY), unit);
  for (const one of ranked) {
    const { whole, server, event, tag } = one;
    const text = given.get(one);
    if (text === whole) continue;
    const state = data.state ?? hookPaths(process.env).state;
    const about = { ...(server !== undefined && { server, event, tag }), client, native };
    if (text !== undefined) {
      log(state, { incident: 'text.cut', ...about, detail: `${event ?? 'a text'}: ${measure(text, unit)}` });
      continue;
    }
    const detail = `${event ?? 'a text'}: no room beside the texts of other servers`;
    // The server's own script has logged the text: the tag and the length say which line it is.
    log(state, { incident: 'text.dropped', ...about, chars: sizeOf(whole).chars, detail });
    if (server === undefined || tag === undefined) continue;
    // The text may be from another scope's entry, which handed it over.
    for (const owner of [undefined, 'local', 'shared'] as const)
      dropped.push(
        () => giveBack(keptTextsFolder(state, client, server, owner), textId(tag, whole)),
        () => {
          const sessions = sessionsFolder(state, client, server, owner);
          takeBack(sessions, textId(tag, whole), measure(whole, unit), ASK_AGAIN_MS);
        },
      );
  }
  const document =
    given.size > 0
      ? documentFor(output, ranked.flatMap((one) => given.get(one) ?? []).join(BETWEEN))
      : silent && JSON.stringify(silent);
  if (document !== undefined) writeSync(1, `${document}\n`);
  // Last: the shell waits 5 s for the document.
  for (const undo of dropped) quietly(undo);
}

/** Runs the scripts of all servers at the same time; returns their documents. */
async function documentsOf(script: string, payload: Buffer): Promise<string[]> {
  const [client, data] = [basename(dirname(script)), dirname(dirname(dirname(script)))];
  const text = payload.toString();
  const scripts = readdirSync(`${script}.d`).flatMap((slug) => {
    const digest = quietly(() => readText(join(`${script}.d`, slug)).trim());
    if (digest === undefined) return [];
    const path = join(data, 'hooks', slug, digest, client, basename(script));
    if (!mayMatch(path, text)) return [];
    // Scripts of a project are for every system, and have the project's runtime.
    return [existsSync(`${path}.cjs`) ? [`${path}.cjs`] : [join(data, 'runtime', 'fire.cjs'), path]];
  });
  return (await Promise.all(scripts.map((words) => documentOf(words, payload)))).flat();
}

/** False for a script whose hooks can't match this payload: each start of node counts. It may have kept texts to give. */
function mayMatch(script: string, payload: string): boolean {
  if (!existsSync(`${script}.needles`) || existsSync(`${script}.kept`)) return true;
  const lines = readText(`${script}.needles`).split('\n').filter(Boolean);
  return lines.at(-1) !== LAST_NEEDLE || lines.some((line) => payload.includes(line));
}

function documentOf(words: readonly string[], payload: Buffer): Promise<string[]> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: DEADLINE_MS,
      windowsHide: true,
    });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
    child.on('error', () => resolve([]));
    child.on('close', () => resolve(printed.split('\n')));
    child.stdin.on('error', () => {});
    child.stdin.end(payload);
  });
}

/** Returns the text in a script's document; empty for anything else. */
function textOf(line: string, paths: readonly string[]): string {
  const text = at(jsonOrUndefined(line), paths);
  return typeof text === 'string' ? text : '';
}

const OPENING = /^\[mcphooks (\w+) \| MCP server ("(?:[^"\\]|\\.)*") \| (\w+) \| (\w+)(?: \| [^\n]*)?\]\n/;

/** Splits a text at its naming lines. No text inside can imitate these: their tag is random. */
function textsIn(text: string): Told[] {
  if (text === '') return [];
  const [, tag = '', server = '', event = '', priority = ''] = OPENING.exec(text) ?? [];
  const closing = `\n[/mcphooks ${tag}]`;
  const end = tag === '' ? -1 : text.indexOf(closing);
  if (end < 0) return [{ whole: text, rank: -1 }];
  const rank = PRIORITIES.indexOf(priority as Priority);
  const whole = text.slice(0, end + closing.length);
  const told = { whole, server: JSON.parse(server), event: event as HookEvent, tag, rank };
  return [told, ...textsIn(text.slice(told.whole.length + BETWEEN.length))];
}

/**
 * Returns what is given of each text, by rank: those that fit whole, and then, cut, the first of those that never do.
 */
function fitted(ranked: readonly Told[], most: number, unit: Unit): Map<Told, string> {
  const given = new Map<Told, string>();
  let room = most;
  const between = (): number => (given.size > 0 ? BETWEEN.length : 0);
  const give = (one: Told, text: string): void => {
    const size = measure(text, unit) + between();
    if (text === '' || size > room) return;
    given.set(one, text);
    room -= size;
  };
  for (const rank of new Set(ranked.map((one) => one.rank))) {
    const equals = ranked.filter((one) => one.rank === rank);
    for (const one of equals) give(one, one.whole);
    const never = equals.find(({ whole }) => measure(whole, unit) > most);
    if (never) give(never, cutInside(never.whole, room - between(), unit));
  }
  return given;
}

/** Cuts a text between its naming lines; '' where too little of it would be left. */
function cutInside(whole: string, most: number, unit: Unit): string {
  const [opening] = OPENING.exec(whole) ?? [];
  if (opening === undefined) return '';
  const closing = whole.slice(whole.lastIndexOf('\n'));
  const room = most - measure(opening + closing, unit);
  const text = whole.slice(opening.length, -closing.length);
  const kept = room < LEAST ? '' : cutWithin(text, room, unit);
  return kept && opening + kept + closing;
}

void main().finally(() => process.exit(0));
