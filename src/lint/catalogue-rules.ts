import { fitsGlob } from '../base/glob.ts';
import { canonicalHead } from '../declarations/canonical-name.ts';
import type { Declaration } from '../declarations/types.ts';
import { holdsUserData } from '../declarations/variables.ts';
import { kindOf } from '../declarations/when.ts';
import { Fault } from '../messages/fault.ts';
import type { CatalogueRule } from '../messages/faults/catalogue.ts';
import type { CatalogueEntry } from '../servers/catalogue/load.ts';
import type { ServerTool } from '../servers/types.ts';

/** Most characters of a text in the catalogue. */
const LONGEST = 600;
/** Most sentences of a text in the catalogue. */
const SENTENCES = 2;

/** Words that a text has only if it mentions secrets, or what the user has to allow. */
const TOUCHY =
  /\b(?:passwords?|secrets?|credentials?|tokens?|api.?keys?|private.?keys?|sudo|approv\w*|permissions?|authori[sz]\w*|bypass\w*|auto-?accept\w*)\b|\.env\b|--yes\b/i;
/** Other servers, by a canonical tool name or in words. */
const OTHERS = /\bmcp__|\b(?:an)?other (?:MCP )?servers?\b/i;

/** Returns the texts that break a rule; `n`: number of the hook. */
type Find = (declaration: Declaration, entry: CatalogueEntry) => string[];

const textsOf = ({ context }: Declaration): string[] => (context === undefined ? [] : [context]);
const said =
  (pattern: RegExp): Find =>
  (declaration) =>
    textsOf(declaration).flatMap((text) => pattern.exec(text)?.[0] ?? []);

/** Globs on tools that a declaration fires on, without kinds such as `any:search`. */
const globsOf = ({ matcher, when }: Declaration): string[] =>
  [matcher?.tool_name ?? [], when?.tools ?? []].flat().filter((glob) => kindOf(glob) === undefined);

/** A tool of some other server. */
const STRANGER = 'mcp__another__tool';

/** Returns tools of the server that a declaration calls, or fires on, or watches. */
function toolsOf(declaration: Declaration, { serverName, tools }: CatalogueEntry): string[] {
  const head = canonicalHead(serverName);
  const own = globsOf(declaration).flatMap((glob) =>
    glob.startsWith(head) ? [glob.slice(head.length)] : [],
  );
  const known = Object.keys(tools);
  const exact = own.filter((glob) => !known.some((tool) => fitsGlob(glob, tool)));
  const named = [...(declaration.context ?? '').matchAll(/\{tool:([^}]+)\}/g)].map(([, tool = '']) => tool);
  return [declaration.context_tool ?? [], declaration.when?.unless_called?.tools ?? [], exact, named].flat();
}

/** What CI holds the catalogue to. */
const RULES: Readonly<Record<CatalogueRule, Find>> = {
  'tool-data': ({ context_tool_args }) =>
    holdsUserData(context_tool_args) ? [JSON.stringify(context_tool_args)] : [],
  required: ({ priority }) => (priority === 'required' ? [priority] : []),
  'too-long': (declaration) => textsOf(declaration).filter((text) => [...text].length > LONGEST),
  'too-many': (declaration) =>
    textsOf(declaration).filter((text) => (text.match(/[.!?](?=\s|$)/g) ?? []).length > SENTENCES),
  'other-tools': (declaration, { serverName }) => [
    ...globsOf(declaration).filter(
      (glob) =>
        fitsGlob(glob, STRANGER) || (glob.startsWith('mcp__') && !glob.startsWith(canonicalHead(serverName))),
    ),
    ...[declaration.matcher?.tool_server ?? []].flat().filter((name) => name !== serverName),
  ],
  writes: ({ context_tool: tool }, { tools }) =>
    tool === undefined || tools[tool] === 'reads' ? [] : [tool],
  'docs-only': ({ context_tool: tool }, { checked }) =>
    tool !== undefined && checked === 'docs' ? [tool] : [],
  'unlisted-tool': (declaration, entry) =>
    toolsOf(declaration, entry).filter((tool) => !Object.hasOwn(entry.tools, tool)),
  touchy: said(TOUCHY),
  'other-server': said(OTHERS),
};

/** Returns Faults for what breaks a rule of the catalogue. */
export function brokenCatalogueRules(entry: CatalogueEntry): Fault[] {
  const broken = entry.declarations.flatMap((declaration, i) =>
    Object.entries(RULES).flatMap(([rule, find]) =>
      find(declaration, entry).map((value) => {
        const args = { entry: entry.id, rule: rule as CatalogueRule, n: i + 1, value };
        return new Fault('catalogue.rule', args, entry.locate(['declarations', i]));
      }),
    ),
  );
  const all = JSON.stringify(entry.declarations);
  const unused = Object.keys(entry.tools).filter((tool) => !all.includes(tool));
  return [
    ...broken,
    ...unused.map(
      (value) => new Fault('catalogue.rule', { entry: entry.id, rule: 'unused-tool', n: 0, value }),
    ),
  ];
}

/** Returns Faults for tools of an entry that its server doesn't list, or no longer marks as read-only. */
export function catalogueToolFaults(
  { id, tools }: Pick<CatalogueEntry, 'id' | 'tools'>,
  listed: readonly ServerTool[],
): Fault[] {
  return Object.entries(tools).flatMap(([tool, does]) => {
    const found = listed.find(({ name }) => name === tool);
    if (!found) {
      const known = listed.map(({ name }) => name);
      return [new Fault('catalogue.tool-gone', { entry: id, index: 0, tool, known })];
    }
    return does === 'reads' && !found.readOnly
      ? [new Fault('catalogue.tool-writes', { entry: id, tool })]
      : [];
  });
}
