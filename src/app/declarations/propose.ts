import { isObject } from '../../base/json-value.ts';
import { oneLine } from '../../base/visible.ts';
import type { Declaration } from '../../declarations/types.ts';
import { PROPOSED, type ProposalReason } from '../../messages/init.ts';
import type { ServerTool } from '../../servers/types.ts';

interface Proposal {
  declaration: Declaration;
  reason: ProposalReason;
  /** Names of the tools that the reason is about. */
  tools: string[];
}

/** Words of a tool's name, in any spelling: `add_note`, `addNote`, `notes-add`. */
const STORES = /^(?:add|append|create|keep|log|note|record|remember|save|store|write)$/;
const SEARCHES = /^(?:find|lookup|query|recall|resolve|search)$/;
/** Other words in a tool's name that give a word above another meaning: `delete_log`, `search_replace`. */
const NO_STORE =
  /^(?:archive|clear|count|delete|download|drop|export|fetch|find|forget|get|list|open|purge|query|read|remove|search|show|view)$/;
const NO_SEARCH = /^(?:add|clear|create|delete|remove|replace|save|update)$/;
/** Of tools that only read, those whose answer sums up what there is. */
const SUMS_UP = /^(?:active|context|current|list|overview|read|recent|status|summary)$/;

/** Most tools that one text names. */
const MOST = 3;

const wordsInName = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

const says =
  (pattern: RegExp) =>
  ({ name }: ServerTool): boolean =>
    wordsInName(name).some((word) => pattern.test(word));

/** True when a tool can be called without arguments. */
function needsNothing({ inputSchema }: ServerTool): boolean {
  const required = isObject(inputSchema) ? inputSchema.required : undefined;
  return !Array.isArray(required) || required.length === 0;
}

/** Names that `{tool:...}` can hold, of the length that MCP allows. */
const canBeNamed = ({ name }: ServerTool): boolean => /^[A-Za-z0-9_.-]{1,128}$/.test(name);

/**
 * Proposes hooks from a server's tools by plain rules, for a person to edit. None for a server without tools that a
 * text can name.
 */
export function propose(server: string, tools: readonly ServerTool[]): Proposal[] {
  const usable = tools.filter(canBeNamed);
  const reads = usable.filter((tool) => tool.readOnly && needsNothing(tool));
  const read = reads.find(says(SUMS_UP)) ?? reads[0];
  const stores = usable
    .filter((tool) => !tool.readOnly && says(STORES)(tool) && !says(NO_STORE)(tool))
    .slice(0, MOST);
  const searches = usable
    .filter((tool) => tool !== read && says(SEARCHES)(tool) && !says(NO_SEARCH)(tool))
    .slice(0, MOST);
  const named = (all: readonly ServerTool[]): string[] => all.map(({ name }) => `{tool:${name}}`);
  // Braces would be read as a template.
  const known = oneLine(server).replace(/[{}]/g, '');
  const text = (context: string): Declaration => ({
    event: 'session_start',
    context,
    priority: 'suggestion',
  });
  const proposed: Proposal[] = [];
  const add = (reason: ProposalReason, about: readonly ServerTool[], declaration: Declaration): void => {
    if (about.length > 0) proposed.push({ declaration, reason, tools: about.map(({ name }) => name) });
  };
  add('read', read ? [read] : [], {
    event: 'session_start',
    when: { source: ['startup', 'clear'], answer: { max: 2000 } },
    context_tool: read?.name ?? '',
    priority: 'important',
  });
  add('search', searches, text(PROPOSED.search(known, named(searches))));
  add('store', stores, {
    event: 'post_tool_use',
    when: {
      command: ['git', 'commit'],
      outcome: 'success',
      if_unknown: 'fire',
      cooldown: 600,
      otherwise: 'drop',
    },
    context: PROPOSED.store(named(stores)),
    priority: 'suggestion',
  });
  if (proposed.length === 0) {
    const some = usable.slice(0, MOST);
    add('other', some, text(PROPOSED.other(known, named(some))));
  }
  return proposed;
}
