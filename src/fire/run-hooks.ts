import { quietly } from '../base/quietly.ts';
import { type Assembled, assemble, type Block, distinct } from './assemble.ts';
import { type Firing, type Parts, silent } from './firing.ts';
import type { PayloadShape } from './format.ts';
import type { LocalFireData } from './local-data.ts';
import { log, logging } from './log.ts';
import { keptTextsFolder } from './own-folders.ts';
import { dropSignOf, type Payload, textAt, toolOf } from './payload.ts';
import { projectOf } from './project.ts';
import { type ClaimedText, tidy } from './session/kept-texts.ts';
import { clearMarks, holdMarks } from './session/marks.ts';
import { FROM_TOOL, type Session, textId } from './session/session.ts';
import { sessionsOf } from './session/sessions-of.ts';
import { isUndone } from './session/undone-turn.ts';
import { skipReason } from './skip.ts';
import { runStep } from './steps.ts';
import { documentFor, measure, outputOf, sizeOf } from './text/render.ts';
import { factsOf } from './text/values.ts';
import { type TellWhy, whyFile } from './why.ts';

/** Result of one fire. */
export interface FireResult {
  /** The client's output document; undefined when there is nothing to print. */
  document?: string;
  /** Call this once the document was handed over. */
  done: () => void;
}

const NOTHING: FireResult = { done: () => {} };

/** One firing of a hook script. */
interface HookRun {
  data: LocalFireData;
  payload: Payload;
  env: NodeJS.ProcessEnv;
  startFolder: string;
  parts: Parts;
  why: TellWhy;
}

/** Does everything for one firing of a hook script except reading its input and writing its output. */
export async function runHooks(run: HookRun): Promise<FireResult> {
  const { data, payload, env, why } = run;
  const sessions = sessionsOf(data, payload);
  const reason = skipReason(data, payload, env, sessions.session);
  if (reason) {
    why(reason);
    return NOTHING;
  }
  if (markTurn(sessions.session, payload, data.payload)) {
    why({ code: 'turn.no-end' });
    return NOTHING;
  }
  const firing = firingOf(run, sessions);
  const { text, given } = chooseTexts(firing, await blocksOf(firing));
  if (text === '') return NOTHING;
  firing.reader?.spend(measure(text, data.unit), firing.fireTag);
  return {
    document: documentFor(data.output ?? outputOf(data.native), text),
    done: () => {
      const { texts } = logging(env);
      for (const one of given) recordGiven(firing, one, texts);
    },
  };
}

/**
 * Marks in the session what the payload tells of prompts and turns. True when the client took the turn that ends out of
 * the conversation.
 */
function markTurn(session: Session | undefined, payload: Payload, shape: PayloadShape): boolean {
  const prompt = textAt(payload, shape.oncePer);
  if (prompt !== undefined) session?.set('once', prompt);
  const ended = textAt(payload, shape.turnEnd);
  const undone = isUndone(payload, shape);
  if (undone) session?.undoTurn();
  if (ended) session?.set('ended', ended);
  return undone;
}

function firingOf(
  { data, payload, env, startFolder, parts, why }: HookRun,
  sessions: ReturnType<typeof sessionsOf>,
): Firing {
  const { payload: shape, state, owner, server, client, native, hooks } = data;
  const project = projectOf(startFolder);
  const write: Firing['write'] = (n, line) => {
    const event = hooks.find((hook) => hook.n === n)?.event;
    log(state, { server, client, native, n, event, ...line, session: sessions.id, project: project.root });
  };
  const tool = toolOf(payload, shape, shape.shell && parts.conditions().readShellLine);
  const keptFolder = keptTextsFolder(state, client, server, owner);
  if (hooks.some((hook) => hook.does === 'emit-deferred')) tidy(keptFolder);
  return {
    data,
    facts: factsOf(payload, shape, project),
    payload,
    shape,
    projectDir: project.root,
    tree: project.tree,
    tool,
    ...sessions,
    keptFolder,
    fireTag: newTag(),
    dropSign: dropSignOf(payload, shape),
    byHand: whyFile(env) !== undefined,
    ...parts,
    why,
    note: (incident, n, detail, said) => {
      why({ code: incident, n, detail: said ?? detail });
      write(n, { incident, detail });
    },
    write,
  };
}

/** Runs all hooks at the same time, and returns their texts. */
async function blocksOf(firing: Firing): Promise<Block[]> {
  const { hooks } = firing.data;
  const results = await Promise.allSettled(hooks.map(async (hook) => runStep(firing, hook)));
  for (const [i, result] of results.entries())
    if (result.status === 'rejected') firing.note('fire.failed', hooks[i]?.n ?? 0, String(result.reason));
  return results.flatMap((r) => (r.status === 'fulfilled' && r.value ? [r.value] : []));
}

/** Joins the texts that fit, and gives back what the others had claimed. */
function chooseTexts({ data, reader, note }: Firing, blocks: readonly Block[]): Assembled {
  const left = data.sessionBudget - (reader?.spent() ?? 0);
  const most = Math.min(data.eventBudget, left);
  const assembled = assemble(distinct(blocks), most, data.unit);
  for (const n of assembled.cut) note('text.cut', n, `${most}`);
  for (const block of assembled.dropped.flatMap((block) => [block, ...(block.twins ?? [])])) {
    note(left <= most ? 'budget.session' : 'text.dropped', block.n, `${most}`);
    for (const claim of claimsOf(block)) claim.release();
    // The marks of a tool's answer stay until the deadline, so that the tool isn't called again at once: each call takes
    // time.
    if (!block.fromTool) clearMarks({ reader }, block.marks);
  }
  return assembled;
}

/** Records that a block's text was handed over, in the session and in the log. */
function recordGiven(firing: Firing, { block, whole }: Assembled['given'][number], texts: boolean): void {
  const id = textId(block.heading.tag, whole);
  const as = block.fromTool ? id + FROM_TOOL : id;
  const keepClaims = (one: Block): void => {
    for (const claim of claimsOf(one)) claim.given(firing.data.joint && id);
    holdMarks(firing, one.marks, as);
  };
  keepClaims(block);
  const line = { ...sizeOf(whole), tag: block.heading.tag, meant: block.taken?.item.meantAt };
  quietly(() => firing.write(block.n, { ...line, ...(texts && { text: firing.masked(block.text) }) }));
  for (const twin of block.twins ?? []) {
    keepClaims(twin);
    silent(firing, twin, 'said', `${block.n}`);
  }
}

/** Returns the claims on kept texts that end when the block is given. */
const claimsOf = ({ taken, replaced }: Block): ClaimedText[] =>
  [taken, replaced].flatMap((claim) => claim ?? []);

/**
 * Returns 8 random hex digits for the naming lines of one fire. A server that learns these digits from the model can't
 * imitate the lines of a later fire. Math.random is enough: each process seeds it anew from the system, and loading
 * crypto would take longer than everything else here.
 */
const newTag = (): string =>
  Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
