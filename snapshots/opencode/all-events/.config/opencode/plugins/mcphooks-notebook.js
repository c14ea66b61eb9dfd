// A plugin of OpenCode, written by mcphooks. It gives the model the texts that an MCP server declares as hooks.
// What differs between servers is the line with `hooks`; all other lines are the same in every such file.
// An update or an uninstall replaces or removes the whole file, with what was changed by hand.
// It runs inside OpenCode, which waits for it without a deadline. So it does nothing when it is loaded, throws nothing,
// ends by its own timer what it starts, prints nothing, and changes nothing but texts that a model reads.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const { hooks = {} } = /* hooks */ {"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"/bin/sh","args":["/home/user/.local/share/mcphooks/hooks/notebook/95fdd0b6c4b89de1/opencode/SessionStart"],"timeout":15}]}],"UserPromptSubmit":[{"hooks":[{"type":"command","command":"/bin/sh","args":["/home/user/.local/share/mcphooks/hooks/notebook/95fdd0b6c4b89de1/opencode/UserPromptSubmit"],"timeout":10}]}],"PreToolUse":[{"matcher":"^(write|apply_patch)$","hooks":[{"type":"command","command":"/bin/sh","args":["/home/user/.local/share/mcphooks/hooks/notebook/95fdd0b6c4b89de1/opencode/PreToolUse"],"timeout":10}]}],"PostToolUse":[{"matcher":"^(bash|notebook_.*)$","hooks":[{"type":"command","command":"/bin/sh","args":["/home/user/.local/share/mcphooks/hooks/notebook/95fdd0b6c4b89de1/opencode/PostToolUse"],"timeout":10}]}],"PostToolUseFailure":[{"matcher":"^(bash|notebook_.*)$","hooks":[{"type":"command","command":"/bin/sh","args":["/home/user/.local/share/mcphooks/hooks/notebook/95fdd0b6c4b89de1/opencode/PostToolUseFailure"],"timeout":10}]}],"Stop":[{"hooks":[{"type":"command","command":"/bin/sh","args":["/home/user/.local/share/mcphooks/hooks/notebook/95fdd0b6c4b89de1/opencode/Stop"],"timeout":5}]}],"SessionEnd":[{"hooks":[{"type":"command","command":"/bin/sh","args":["/home/user/.local/share/mcphooks/hooks/notebook/95fdd0b6c4b89de1/opencode/SessionEnd"],"timeout":5}]}]}} /* end of hooks */;
(as in the program)
