import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export const clientInfo = { name: 'test', version: '1.0.0' };

/** The raw capabilities in the answer of a server over stdio to its first request. */
async function ask([program = '', ...args]: string[], method: string, params: object): Promise<unknown> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })}\n`);
    for await (const line of createInterface(child.stdout)) {
      const { result, error } = JSON.parse(line);
      if (error) throw new Error(JSON.stringify(error));
      return result.capabilities;
    }
    throw new Error('no answer');
  } finally {
    child.kill();
  }
}

/** Parameters of `initialize` by a client with these capabilities. */
export const initializing = (capabilities: object) => ({
  protocolVersion: '2025-11-25',
  capabilities,
  clientInfo,
});

/** The same of `server/discover`. */
export const discovering = (capabilities: object) => ({
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  },
});

/** Both eras of the protocol: what a server answers to a client with these capabilities. */
export const ERAS = {
  initialize: (command: string[], capabilities: object) =>
    ask(command, 'initialize', initializing(capabilities)),
  discover: (command: string[], capabilities: object) =>
    ask(command, 'server/discover', discovering(capabilities)),
};
