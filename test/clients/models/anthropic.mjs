/** Anthropic Messages API. */
import { startStream } from './server.mjs';

const callOf = (call) => {
  if (call.bash) return { name: 'Bash', input: { command: call.bash, description: 'run' } };
  if (call.write) return { name: 'Write', input: { file_path: call.write, content: call.text } };
  if (call.read) return { name: 'Read', input: { file_path: call.read } };
  if (call.mcp) return { name: `mcp__${call.mcp.join('__')}`, input: call.args ?? {} };
  if (call.agent) {
    const input = {
      description: 'sub',
      prompt: call.agent,
      subagent_type: 'general-purpose',
      run_in_background: false,
    };
    return { name: 'Agent', input };
  }
  return call.native;
};

/** Requests without tools are titles and summaries. */
function kind(path, body) {
  if (path !== '/v1/messages') return undefined;
  if (!body.tools?.length) return 'side';
  return JSON.stringify(body).includes('cc_is_subagent=true') ? 'sub' : 'main';
}

function answer(turn, { body, response, id }) {
  const content = [
    ...(turn.say === undefined ? [] : [{ type: 'text', text: turn.say }]),
    ...(turn.calls ?? []).map((c) => ({ type: 'tool_use', id: id('toolu'), ...callOf(c) })),
  ];
  const stop_reason = turn.calls ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: id('msg'), type: 'message', role: 'assistant', model: body.model, usage };
  if (!body.stream) {
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ ...message, content, stop_reason, stop_sequence: null }));
  }
  startStream(response);
  const send = (type, data) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('message_start', { message: { ...message, content: [], stop_reason: null, stop_sequence: null } });
  content.forEach((block, index) => {
    const [content_block, delta] =
      block.type === 'text'
        ? [
            { type: 'text', text: '' },
            { type: 'text_delta', text: block.text },
          ]
        : [
            { ...block, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
          ];
    send('content_block_start', { index, content_block });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  });
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
}

export const anthropic = {
  kind,
  answer,
  side: (body, _json, response) => answer({ say: 'side' }, { body, response, id: (p) => `${p}_side` }),
  other: (path, json) =>
    path.endsWith('/count_tokens')
      ? json({ input_tokens: 10 })
      : json({ type: 'error', error: { type: 'not_found_error', message: path } }, 404),
};
