/** Gemini generateContent API. */
import { startStream } from './server.mjs';

const callOf = (call) => {
  if (call.bash) return { name: 'run_shell_command', args: { command: call.bash, description: 'run' } };
  if (call.write) return { name: 'write_file', args: { file_path: call.write, content: call.text } };
  if (call.read) return { name: 'read_file', args: { file_path: call.read } };
  if (call.mcp) return { name: `mcp_${call.mcp.join('_')}`, args: call.args ?? {} };
  if (call.agent) return { name: 'invoke_agent', args: { agent_name: 'generalist', prompt: call.agent } };
  return call.native;
};

const reply = (parts) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  modelVersion: 'fake',
});

/** Only sub-agents are offered complete_task. */
const isSub = (body) => JSON.stringify(body.tools ?? []).includes('"complete_task"');

function answer(turn, { response, id }) {
  startStream(response);
  const parts = [
    ...(turn.say === undefined ? [] : [{ text: turn.say }]),
    ...(turn.calls ?? []).map((c) => ({ functionCall: { id: id('call'), ...callOf(c) } })),
  ];
  response.end(`data: ${JSON.stringify(reply(parts))}\r\n\r\n`);
}

export const gemini = {
  kind: (path, body) => {
    if (path.endsWith(':streamGenerateContent')) return isSub(body) ? 'sub' : 'main';
    return path.endsWith(':generateContent') ? 'side' : undefined;
  },
  answer,
  side: (_body, json) => json(reply([{ text: '{}' }])),
  other: (path, json) =>
    path.endsWith(':countTokens')
      ? json({ totalTokens: 10 })
      : json({ error: { code: 404, message: path } }, 404),
};
