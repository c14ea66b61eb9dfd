import { mapTexts } from '../base/json-value.ts';
import type { ClientId } from '../clients/client.ts';
import { clientById } from '../clients/index.ts';
import { type Declaration, isToolEvent } from '../declarations/types.ts';
import { assemble } from '../fire/assemble.ts';
import type { FireData, FireHook } from '../fire/format.ts';
import { projectOf } from '../fire/project.ts';
import { noteFor } from '../fire/steps.ts';
import { fill, type Values } from '../fire/text/template.ts';
import { serialised, valuesFor } from '../fire/text/values.ts';
import { ANY_TAG, answerText } from '../messages/explained.ts';
import type { ClientPlan, HookOutcome, Plan } from '../plan/types.ts';
import { shellQuote } from '../shims/script.ts';
import { sideFiles } from '../shims/side-files.ts';
import { type CalledHook, sampleCall, toolsNamed } from './sample-call.ts';

/** What a hook does at one native event of a client. */
export interface ExplainedStep {
  native: string;
  /** Name of the entry and its shim: the native event, with a suffix when the event has several. */
  key: string;
  does: FireHook['does'] | 'call';
  /** Matcher of the entry, which may serve several hooks; undefined: every tool, or not a tool event. */
  matcher?: string;
  /**
   * Command that the client runs, with its arguments quoted as for a shell; undefined when the client calls the tool
   * itself.
   */
  command?: string;
  /** Seconds that the client grants the hook. */
  timeout: number;
  /** `deadline`: seconds after which the shim gives up; `call`: seconds that one tool call may take. */
  deadline?: number;
  call?: number;
}

/** Explanation of one hook on one client. */
export interface ExplainedCell {
  client: ClientId;
  cell: HookOutcome;
  steps: ExplainedStep[];
  /** Texts as the model reads them; empty when the client calls the tool itself. */
  texts: string[];
  /** Sample values of the template variables that the texts use. */
  samples: Values;
  /** Milliseconds between two outputs in one session; null: one output per session. */
  cooldown?: number | null;
}

export interface ExplainedHook {
  n: number;
  declaration: Declaration;
  clients: ExplainedCell[];
}

/** Most text that hooks may add, in the client's unit: per handler, per event, per session. */
export interface ExplainedLimits {
  client: ClientId;
  unit: FireData['unit'];
  handler?: number;
  event: number;
  session: number;
}

export interface Explained {
  hooks: ExplainedHook[];
  limits: ExplainedLimits[];
}

/** Sample values, where a real session has its own. */
const SESSION = '5e551000-0000-4000-8000-000000000000';
const OUTPUT = 'done';
const PROMPT = 'Please go on.';

/**
 * Explains a plan hook by hook. `cwd`: folder whose project the sample values name; `now`: ISO 8601; `tools`: names of the
 * server's tools, as far as they are known.
 */
export function explain(
  plan: Plan,
  clients: readonly ClientId[],
  { cwd, now, tools }: { cwd: string; now: string; tools: readonly string[] },
): Explained {
  const plans = plan.clients.filter((c) => clients.includes(c.client));
  const { declarations, server, next } = plan;
  const known = [...new Set([...tools, ...(next.ownTools ?? []), ...toolsNamed(declarations)])];
  const project = projectOf(cwd);
  return {
    hooks: declarations.map((declaration, i) => {
      const about = { declaration, server, tools: known, project };
      return {
        n: i + 1,
        declaration,
        clients: plans.map((c) => explainCell(c, c.cells[i] as HookOutcome, about, now)),
      };
    }),
    limits: plans.flatMap(limitsOf),
  };
}

/** Returns the values of a text's variables, for a call that the hook accepts; without one, none of the call's. */
function samplesFor(hook: FireHook, about: CalledHook): Values {
  const call = isToolEvent(hook.event) ? sampleCall(about) : undefined;
  const { name, root } = about.project;
  const facts = {
    projectName: name,
    projectDir: root,
    session: SESSION,
    prompt: PROMPT,
    output: OUTPUT,
    fields: call?.input,
    input: serialised(call?.input),
  };
  return valuesFor(hook, call?.name ?? '', facts, () => {});
}

function explainCell(
  plan: ClientPlan,
  cell: HookOutcome,
  about: Omit<CalledHook, 'client' | 'hook' | 'shape'>,
  now: string,
): ExplainedCell {
  const hooks = plan.shims.flatMap((shim) =>
    shim.data.hooks.filter((hook) => hook.n === cell.n).map((hook) => ({ shim, hook })),
  );
  const client = clientById(plan.client);
  const { timeout } = client.hooks;
  const steps = plan.entries.flatMap(({ event, key, group }): ExplainedStep[] => {
    const handler = group.hooks[0];
    const entry = {
      native: event,
      key,
      ...(group.matcher !== undefined && { matcher: group.matcher }),
      timeout: Number(handler?.[timeout.key] ?? 0) / (timeout.unit === 'ms' ? 1_000 : 1),
    };
    if (key === `${event}.tool${cell.n}`) return [{ ...entry, does: 'call' }];
    const served = hooks.filter(({ shim }) => shim.native === key);
    const done = [...new Set(served.map(({ hook }) => hook.does))];
    return done.map((does) => {
      const { shim, hook } = served.find((s) => s.hook.does === does) as (typeof served)[number];
      const calls = hook.call && shim.data.server_at;
      return {
        ...entry,
        does,
        ...(handler?.command !== undefined && { command: commandLine(handler.command, handler.args) }),
        deadline: shim.seconds,
        ...(calls && { call: calls.callMs / 1_000 }),
      };
    });
  });
  const speaking = hooks.filter(({ hook }) => hook.does === 'emit');
  const said = speaking.length > 0 ? speaking : hooks.filter(({ hook }) => hook.does === 'defer');
  const [first] = said;
  const samples = first
    ? samplesFor(first.hook, { ...about, client, hook: first.hook, shape: first.shim.data.payload })
    : {};
  // The text of a later event has the limits of the hook that gives it then.
  const later = hooks.find(({ hook }) => hook.does === 'emit-deferred')?.shim.data;
  const texts = said.flatMap(({ shim, hook }) =>
    saidText(hook, shim.data, (hook.does === 'defer' && later) || shim.data, samples, now),
  );
  const cooldown = first?.hook.cooldownMs;
  return {
    client: plan.client,
    cell,
    steps,
    texts: [...new Set(texts)],
    samples,
    ...(cooldown !== undefined && { cooldown }),
  };
}

/** Returns the text of a hook as the model reads it: cut to `limits`, and none when nothing of it is left. */
function saidText(
  hook: FireHook,
  data: FireData,
  limits: Pick<FireData, 'eventBudget' | 'sessionBudget' | 'unit'>,
  samples: Values,
  now: string,
): string[] {
  const { server } = data;
  // Each document that the shell can't print alone has a tag of its own.
  const tag = (sideFiles(data).out !== undefined && data.tag) || ANY_TAG;
  const { event, priority, does, text, call } = hook;
  const note = does === 'defer' ? { note: noteFor(event, now) } : {};
  const args = mapTexts(call?.args ?? {}, (value) => fill(value, samples));
  const answer = answerText(String(call?.tool), JSON.stringify(args));
  const heading = { server, event, priority, tag, ...note };
  const whole = text === undefined ? answer : fill(text, samples);
  const most = Math.min(limits.eventBudget, limits.sessionBudget);
  return assemble([{ n: hook.n, heading, text: whole }], most, limits.unit).given.map((one) => one.whole);
}

function limitsOf({ client, shims }: ClientPlan): ExplainedLimits[] {
  const [first] = shims;
  if (!first) return [];
  const { perHandler, unit } = clientById(client).limits;
  return [
    {
      client,
      unit,
      ...(perHandler !== undefined && { handler: perHandler }),
      event: first.data.eventBudget,
      session: first.data.sessionBudget,
    },
  ];
}

/** Returns a command with the arguments that its client gives it without a shell. */
const commandLine = (command: string, args: unknown): string =>
  Array.isArray(args) ? [command, ...args.map((arg) => shellQuote(String(arg)))].join(' ') : command;
