/** Remarks on `--grant-control`: what the client's own handler may do, and why a hook keeps its script. */
export const HANDLER_NOTES = {
  'handler.control': () =>
    "the client calls the tool itself, and the server's answer is a control document: it can deny, approve or rewrite what the agent does; no naming lines, no limits, no --cooldown, no disable",
  'handler.not-here': () =>
    "still a hook script: this client's mcp_tool handler delivers no text at this event",
  'handler.server-unknown': () => 'still a hook script: this client has no server of that name',
  'handler.no-document': () =>
    "still a hook script: the tool's output schema has no hookSpecificOutput, and plain text from an mcp_tool handler does not reach the model here",
  'handler.condition': () =>
    'still a hook script: only a script can check input_contains and `when`, or keep a cooldown',
  'handler.null': () =>
    'still a hook script: its arguments contain null, which this client cannot read there',
  'handler.dollar': () => "still a hook script: its arguments contain '${', which the client would replace",
  'handler.variable': () =>
    'still a hook script: its arguments use a template that the client cannot fill in',
};
