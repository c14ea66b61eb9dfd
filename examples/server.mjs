#!/usr/bin/env node
// An example for server authors: an MCP server that declares hooks (SEP-2282).
//
//   node examples/server.mjs                stdio
//   node examples/server.mjs --http 3000    Streamable HTTP on http://127.0.0.1:3000/mcp
//
// It is a notebook: it keeps notes per project in ~/.notebook.jsonl, or in NOTEBOOK_FILE.
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { defineHooks, withHooks } from 'mcphooks/authoring';
import * as z from 'zod';

// What the model reads, and when. Each declaration has a `context`, a fixed text, or a
// `context_tool`, a tool of this server whose answer is the text.
const { declarations } = JSON.parse(readFileSync(new URL('declarations.json', import.meta.url), 'utf8'));
const hooks = defineHooks(declarations);

const file = process.env.NOTEBOOK_FILE ?? join(homedir(), '.notebook.jsonl');
const first = [
  'decision: dates are kept in UTC everywhere',
  'decision: no new dependency without a reason in the commit',
  'todo: write the release checklist',
  'a commit message says why, not what',
];

function notesOf(project) {
  let lines = [];
  try {
    lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  return [...first, ...lines.filter((line) => line.project === project).map((line) => line.note)];
}

const text = (value) => ({ content: [{ type: 'text', text: value }] });

function notebook() {
  const server = new McpServer({ name: 'notebook', version: '1.0.0' });
  server.registerTool(
    'search_notes',
    {
      description: 'Finds the notes of a project that hold all words of the query.',
      inputSchema: z.object({ query: z.string(), project: z.string() }),
    },
    ({ query, project }) => {
      const words = query.toLowerCase().split(/\s+/);
      const found = notesOf(project).filter((note) =>
        words.every((word) => note.toLowerCase().includes(word)),
      );
      return text(
        found.length > 0 ? found.map((note) => `- ${note}`).join('\n') : `Nothing about '${query}' yet.`,
      );
    },
  );
  server.registerTool(
    'add_note',
    {
      description: 'Keeps a note for a project.',
      inputSchema: z.object({ note: z.string(), project: z.string() }),
    },
    ({ note, project }) => {
      appendFileSync(file, `${JSON.stringify({ project, note })}\n`, { mode: 0o600 });
      return text('Kept.');
    },
  );
  // Declares them in all places that clients read, for the events that the client supports.
  return withHooks(server, hooks);
}

const [option, port] = process.argv.slice(2);
if (option === '--http') {
  const serve = toNodeHandler(createMcpHandler(notebook));
  const guards = [localhostHostValidation(), localhostOriginValidation()];
  const http = createServer((request, response) => {
    if (guards.every((guard) => guard(request, response))) serve(request, response);
  });
  http.listen(Number(port ?? 0), '127.0.0.1', () => {
    console.error(`notebook listens on http://127.0.0.1:${http.address().port}/mcp`);
  });
} else {
  serveStdio(notebook);
}
