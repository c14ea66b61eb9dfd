/** Texts of a user's and a team's own hooks, which must act as before whatever mcphooks does. */

/** A shell command that gives `text` at a client's event. */
export const says = (event, text) =>
  `printf '%s' '${JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } })}'`;

/** Own hooks of a client whose events have these names. */
export const OWN = { SessionStart: 'USER-START', UserPromptSubmit: 'USER-PROMPT', PostToolUse: 'USER-TOOL' };

/** `hooks` of a settings file: one group an event. */
export const groups = (events, handler) =>
  Object.fromEntries(Object.entries(events).map(([e, text]) => [e, [{ hooks: [handler(e, text)] }]]));

export const teamHook = (event, more = {}) => ({
  hooks: { [event]: [{ hooks: [{ type: 'command', command: says(event, 'TEAM-PROMPT'), ...more }] }] },
});
