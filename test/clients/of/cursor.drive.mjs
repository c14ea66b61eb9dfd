#!/usr/bin/env node
/**
 * Holds one conversation by Cursor's own hook runtime: `node cursor.drive.mjs <folder of @cursor/sdk>`, with
 * { prompts, transport, result } on stdin. Tools are run here, behind the runtime's own hooks around tools; what it
 * hands on to Cursor's servers for the model is written to the file `result`, in the form of requests to a model.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { loadRuntime } from './cursor.runtime.mjs';

/** The runtime drops longer texts of tool hooks by itself; those of prompts it leaves to its caller. */
const MOST = 10_000;

const { prompts, transport, result } = JSON.parse(readFileSync(0, 'utf8'));
const project = process.cwd();
const runtime = await loadRuntime(process.argv[2]);
const piped = transport === 'stdin';
const hooks = await runtime
  .factory({
    globalContext: { cursor_version: `sdk-${runtime.version}`, user_email: 'user@example.invalid' },
    useCommandHookStdinTransport: piped,
  })
  .createHooksRuntime({
    workspaceState: { projectRoot: project, workspaceRoots: [project], workingDirectory: project },
  });
for (const { message } of hooks.hooksConfig.errors) console.error(message);
const { hookExecutor } = hooks.createSessionRuntime({
  sessionState: { sessionId: randomUUID() },
  metadata: {},
});

const conversation = randomUUID();
const about = () => ({ conversation_id: conversation, generation_id: randomUUID(), model: 'some-model' });
const step = (name, fields) => hookExecutor.executeHookForStep(name, { ...about(), ...fields });

const success = (value) => ({ result: { case: 'success', value } });

/** Runs a shell command as the tool does. */
function shell(command) {
  return new Promise((done) => {
    const child = spawn('/bin/bash', ['-c', command], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
    const out = { stdout: '', stderr: '' };
    for (const name of Object.keys(out)) child[name].on('data', (data) => (out[name] += data));
    child.on('close', (exitCode) => done({ ...out, exitCode, aborted: false }));
  });
}

async function* streamed(command) {
  const event = (name, value) => ({ event: { case: name, value } });
  const { stdout, stderr, exitCode } = await shell(command);
  yield event('start', {});
  yield event('stdout', { data: stdout + stderr });
  yield event('exit', { code: exitCode, aborted: false });
}

/** Calls a tool of a server in the user's or the project's file. */
function callServer([server, name], args) {
  const { command, args: words = [] } = [
    join(project, '.cursor/mcp.json'),
    join(homedir(), '.cursor/mcp.json'),
  ]
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')).mcpServers?.[server])
    .find(Boolean);
  const child = spawn(command, words, { cwd: project, stdio: ['pipe', 'pipe', 'inherit'] });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'cursor', version: runtime.version },
    },
  });
  return new Promise((done) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, result } = JSON.parse(line);
      if (id === 1) {
        send({ method: 'notifications/initialized' });
        send({ id: 2, method: 'tools/call', params: { name, arguments: args } });
      }
      if (id !== 2) return;
      child.stdin.end();
      child.on('close', () => done(result));
    });
  });
}

const asSent = ({ content, isError = false }) => ({
  content: content.map(({ text }) => ({ content: { case: 'text', value: { text } } })),
  isError,
});

/** Which of the runtime's tools runs a call (its place in the list), with which arguments, and what it does. */
function toolOf(call) {
  const inPlace = { workingDirectory: project };
  if (call.bash !== undefined) {
    const command = { command: call.bash, ...inPlace };
    if (piped) return [2, command, () => streamed(call.bash)];
    return [
      1,
      command,
      async () => {
        const value = await shell(call.bash);
        return { result: { case: value.exitCode === 0 ? 'success' : 'failure', value } };
      },
    ];
  }
  if (call.write !== undefined) {
    const write = async () => {
      writeFileSync(call.write, call.text);
      return success({ path: call.write });
    };
    return [3, { path: call.write, fileText: call.text }, write];
  }
  if (call.mcp) {
    const [server, toolName] = call.mcp;
    const args = Object.fromEntries(
      Object.entries(call.args ?? {}).map(([key, value]) => [key, { toJson: () => value }]),
    );
    const ask = async () => success(asSent(await callServer(call.mcp, call.args ?? {})));
    return [4, { toolName, providerIdentifier: `user-${server}`, args }, ask];
  }
  const read = async () => {
    const there = existsSync(call.read);
    if (!there) return { result: { case: 'fileNotFound', value: { path: call.read } } };
    return success({ output: { case: 'content', value: readFileSync(call.read, 'utf8') } });
  };
  return [5, { path: call.read }, read];
}

/** What the tool answered, and what hooks added to it. */
async function runTool(call) {
  const [place, args, execute] = toolOf(call);
  const added = [];
  const context = { signal: new AbortController().signal, withName: () => context };
  const tools = new runtime.Accessor({ get: () => ({ execute }) }, hookExecutor, about, {
    getClient: async () => undefined,
  });
  const running = tools.get(runtime.symbols[place]).execute(context, args, { hookContextCollector: added });
  let answer;
  if (running[Symbol.asyncIterator]) {
    answer = [];
    for await (const { event } of running) if (event.case !== 'hookContext') answer.push(event);
  } else answer = (await running).result;
  return { answer, added: added.map(({ content }) => content) };
}

const text = (value) => ({ type: 'text', text: value });
const messages = [];
const requests = [];
let unused = 0;
await step('sessionStart', { is_background_agent: false });
for (const [run, { prompt = `prompt ${run + 1}`, turns }] of prompts.entries()) {
  const submitted = await step('beforeSubmitPrompt', { prompt, attachments: [] });
  if (submitted?.continue === false) {
    unused += turns.length;
    continue;
  }
  const given = submitted?.additional_context ?? '';
  const added = given.trim() !== '' && given.length <= MOST ? [text(given)] : [];
  messages.push({ role: 'user', content: [text(prompt), ...added] });
  const script = [...turns];
  for (let turn = script.shift() ?? { say: 'END-OF-SCRIPT' }; turn; turn = turn.calls && script.shift()) {
    requests.push({ run, kind: 'main', body: { messages: structuredClone(messages) } });
    const { say, calls = [] } = turn;
    if (say !== undefined) console.log(say);
    messages.push({ role: 'assistant', content: [...(say === undefined ? [] : [text(say)]), ...calls] });
    if (calls.length === 0) break;
    const results = await Promise.all(calls.map(runTool));
    messages.push({
      role: 'user',
      content: results.flatMap(({ answer, added }) => [answer, ...added.map(text)]),
    });
  }
  unused += script.length;
  await step('stop', { status: 'completed', loop_count: 0 });
}
await step('sessionEnd', { reason: 'completed', duration_ms: 1, final_status: 'completed' });
writeFileSync(result, JSON.stringify({ requests, unused }));
// Bundled modules leave timers behind.
process.exit(0);
