/** OpenAI's chat completions, which many clients can be pointed at. Each names its tools in its own way. */
import { startStream } from './server.mjs';

/**
 * `callOf`: a call of a turn -> { name, arguments } as the client's own tools have it. `kindOf(body, headers)`: 'sub' or
 * 'side' where a request with tools isn't one of the session's own.
 */
export function chat(callOf, kindOf = () => undefined) {
  function answer(turn, { body, response, id }) {
    const calls = (turn.calls ?? []).map((call, index) => {
      const { name, arguments: given } = call.native ?? callOf(call);
      return {
        index,
        id: id('call'),
        type: 'function',
        function: { name, arguments: JSON.stringify(given) },
      };
    });
    const base = { id: id('chat'), created: 1, model: body.model };
    const said = {
      ...(turn.say === undefined ? {} : { content: turn.say }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    const message = { role: 'assistant', ...said };
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
    // A compaction that doesn't shrink what was counted can be none.
    const sent = Math.ceil(JSON.stringify(body).length / 4);
    const usage = { prompt_tokens: sent, completion_tokens: 5, total_tokens: sent + 5 };
    if (!body.stream) {
      const document = {
        ...base,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason }],
        usage,
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(document));
    }
    startStream(response);
    const send = (choices, more = {}) =>
      response.write(
        `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...more })}\n\n`,
      );
    send([{ index: 0, delta: message, finish_reason: null }]);
    send([{ index: 0, delta: {}, finish_reason }], { usage });
    response.end('data: [DONE]\n\n');
  }

  return {
    kind: (path, body, headers) => {
      if (!path.endsWith('/chat/completions')) return undefined;
      return kindOf(body, headers) ?? (body.tools?.length > 0 ? 'main' : 'side');
    },
    answer,
    side: (body, _json, response) => answer({ say: 'side' }, { body, response, id: (p) => `${p}_side` }),
    other: (path, json) =>
      path.includes('/models')
        ? json({ object: 'list', data: [{ id: 'fake-model', object: 'model' }] })
        : json({ error: { message: path } }, 404),
  };
}
