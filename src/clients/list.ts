// Made from the folders beside this file: npm run clients
import { claudeCode } from './claude-code/index.ts';
import type { Client } from './client.ts';
import { codex } from './codex/index.ts';
import { geminiCli } from './gemini-cli/index.ts';

export const CLIENTS: readonly Client[] = [claudeCode, codex, geminiCli];
