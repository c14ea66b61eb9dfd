// Made from the folders beside this file: npm run clients
import { claudeCode } from './claude-code/index.ts';
import type { Client } from './client.ts';
import { codex } from './codex/index.ts';
import { copilot } from './copilot/index.ts';
import { cursor } from './cursor/index.ts';
import { droid } from './droid/index.ts';
import { geminiCli } from './gemini-cli/index.ts';
import { opencode } from './opencode/index.ts';
import { qwenCode } from './qwen-code/index.ts';

export const CLIENTS: readonly Client[] = [
  claudeCode,
  codex,
  copilot,
  cursor,
  droid,
  geminiCli,
  opencode,
  qwenCode,
];
