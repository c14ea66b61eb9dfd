// Made from the folders beside this file: npm run clients
export const CLIENT_IDS = [
  'claude-code',
  'codex',
  'copilot',
  'cursor',
  'droid',
  'gemini-cli',
  'opencode',
  'qwen-code',
] as const;
export type ClientId = (typeof CLIENT_IDS)[number];
