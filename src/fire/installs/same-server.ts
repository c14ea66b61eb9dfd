import type { FireData } from '../format.ts';

/** What the record of an install has of its server. */
export interface DeclaredServer {
  serverName?: string | undefined;
  declarations?: readonly { context?: string | undefined; context_tool?: string | undefined }[];
  definition?: { hash: string } | undefined;
  otherDefinitions?: readonly { hash: string }[] | undefined;
}

const said = (kind: string, values: readonly (string | undefined)[]): string[] =>
  values.flatMap((value) => (value ? [`${kind} ${value}`] : []));

/**
 * Returns the signs by which an install of the same server is recognised: its own name, its approved definitions, its
 * texts and tools.
 */
export const signsOf = ({
  serverName,
  declarations = [],
  definition,
  otherDefinitions = [],
}: DeclaredServer): string[] => [
  ...said('name', [serverName]),
  ...said('hash', [definition?.hash, ...otherDefinitions.map(({ hash }) => hash)]),
  ...said(
    'text',
    declarations.map(({ context }) => context),
  ),
  ...said(
    'tool',
    declarations.map(({ context_tool }) => context_tool),
  ),
];

/** Returns the signs of the server of a hook script, as far as its data have them. */
export const signsOfData = ({ userHooks, server_at: at, hooks }: FireData): string[] =>
  signsOf({
    serverName: userHooks?.serverName,
    declarations: hooks.map(({ text, call }) => ({ context: text, context_tool: call?.tool })),
    otherDefinitions: [at, ...(at?.others ?? [])].flatMap((one) => (one?.hash ? [{ hash: one.hash }] : [])),
  });

/**
 * True when two servers of one alias have a sign in common. Two versions of a server usually have: seldom does a new one
 * change its own name, all texts and all tools.
 */
export const shareSign = (a: readonly string[], b: readonly string[]): boolean =>
  a.some((sign) => b.includes(sign));
