import { respelt, type ToolNames } from '../tools.ts';

export const tools: ToolNames = {
  names: {
    Bash: ['Shell'],
    Read: ['Read'],
    Write: ['Write'],
    Edit: ['Write'],
    Grep: ['Grep'],
    LS: ['List'],
    WebFetch: ['Fetch', 'WebFetch'],
    WebSearch: ['WebSearch'],
    Task: ['Task'],
    Agent: ['Task'],
  },
  absent: { MultiEdit: { instead: 'Edit' } },
  // The server of a tool is in no payload of a tool step.
  mcp: { name: 'MCP:{tool}', spell: respelt(/(?!)/g) },
  payload: {},
};
