// An MCP server without any package: one tool that only reads, and hooks. It notes its process id, starts a program of
// its own, which ends after a minute, and with --mute answers nothing.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const log = process.env.SERVER_PIDS;
const child = spawn(process.execPath, ['-e', 'setTimeout(()=>{},60000)'], { stdio: 'ignore' });
child.on('exit', () => process.exit());
if (log) appendFileSync(log, `${process.pid}\n${child.pid}\n`);
const declarations = [
  { event: 'session_start', context_tool: 'notes', priority: 'important' },
  { event: 'pre_request', context: 'MARK-PROMPT of {project_name} \u00fc\u6f22', priority: 'suggestion' },
];
const tool = {
  name: 'notes',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, openWorldHint: false },
};
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, hooks: { declarations } },
    serverInfo: { name: 'notes', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': () => ({
    content: [{ type: 'text', text: `MARK-TOOL ${process.env.GREETING ?? ''} \u00fc` }],
  }),
  ping: () => ({}),
};
// Neither the end of stdin nor a polite signal ends it while its own program runs.
let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of process.argv.includes('--mute') ? [] : lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const answer = answers[method];
    const said = answer
      ? { result: answer(params ?? {}) }
      : { error: { code: -32601, message: 'no such method' } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...said })}\n`);
  }
});
