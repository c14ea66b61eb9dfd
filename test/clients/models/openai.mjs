/** OpenAI Responses API, for models with direct tools and for code mode (one `exec` tool that runs JavaScript). */
import { startStream } from './server.mjs';

const patch = (file, text) => `*** Begin Patch\n*** Add File: ${file}\n+${text}\n*** End Patch\n`;
const safe = (server) => server.replace(/[^A-Za-z0-9_]/g, '_');
const CODE_MODE = /^gpt-6/;

function direct(call) {
  if (call.bash) return { name: 'exec_command', arguments: { cmd: call.bash } };
  if (call.write) return { custom: true, name: 'apply_patch', input: patch(call.write, call.text) };
  if (call.read) return { name: 'exec_command', arguments: { cmd: `cat '${call.read}'` } };
  if (call.mcp)
    return { name: call.mcp[1], namespace: `mcp__${safe(call.mcp[0])}`, arguments: call.args ?? {} };
  if (call.agent)
    return { name: 'spawn_agent', namespace: 'multi_agent_v1', arguments: { message: call.agent } };
  return call.native;
}

function script(call) {
  const js = JSON.stringify;
  if (call.bash) return `tools.exec_command(${js({ cmd: call.bash })})`;
  if (call.write) return `tools.apply_patch(${js(patch(call.write, call.text))})`;
  if (call.read) return `tools.exec_command(${js({ cmd: `cat '${call.read}'` })})`;
  if (call.mcp) return `tools.mcp__${safe(call.mcp[0])}__${call.mcp[1]}(${js(call.args ?? {})})`;
  return call.native;
}

const codeMode = (calls) => ({
  custom: true,
  name: 'exec',
  input: `const all = await Promise.allSettled([${calls.map(script).join(', ')}]); text(JSON.stringify(all));`,
});

function item(call, id) {
  const base = { id: id('item'), call_id: id('call'), name: call.name, status: 'completed' };
  if (call.custom) return { ...base, type: 'custom_tool_call', input: call.input };
  const namespace = call.namespace ? { namespace: call.namespace } : {};
  return { ...base, type: 'function_call', ...namespace, arguments: JSON.stringify(call.arguments) };
}

function answer(turn, { body, response, id }) {
  startStream(response);
  const send = (type, data) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const content = [{ type: 'output_text', text: turn.say, annotations: [] }];
  const calls = turn.calls ?? [];
  const output = [
    ...(turn.say === undefined
      ? []
      : [{ type: 'message', id: id('msg'), role: 'assistant', status: 'completed', content }]),
    ...(calls.length && CODE_MODE.test(body.model) && !calls[0].agent
      ? [codeMode(calls)]
      : calls.map(direct)
    ).map((c) => item(c, id)),
  ];
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const shown = { id: id('resp'), object: 'response', model: body.model };
  send('response.created', { response: { ...shown, status: 'in_progress', output: [] } });
  output.forEach((one, output_index) => {
    send('response.output_item.added', { output_index, item: { ...one, status: 'in_progress' } });
    send('response.output_item.done', { output_index, item: one });
  });
  send('response.completed', { response: { ...shown, status: 'completed', output, usage } });
  response.end();
}

export const openai = {
  kind: (path, body, headers) => {
    if (!path.endsWith('/responses')) return undefined;
    if (JSON.stringify(body.client_metadata ?? {}).includes('thread_title')) return 'side';
    return headers['x-openai-subagent'] ? 'sub' : 'main';
  },
  answer,
  side: (body, _json, response) =>
    answer({ say: '{"title":"side"}' }, { body, response, id: (p) => `${p}_side` }),
  other: (path, json) =>
    path.endsWith('/models')
      ? json({ object: 'list', data: [], models: [] })
      : json({ error: { message: path } }, 404),
};
