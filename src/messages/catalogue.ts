import { oneLine } from '../base/visible.ts';

/** Source of hooks that a server didn't declare itself, as recorded. */
type Source =
  | { kind: 'package'; package: string; version?: string; hash: string; unchecked?: true }
  | {
      kind: 'catalogue';
      entry: string;
      title: string;
      project?: true;
      version: string;
      checked: 'server' | 'docs';
      reviewed: string;
      hash: string;
      unchecked?: true;
    };

/** Number of hexadecimal digits of a hash that are shown. */
const DIGITS = 12;

/** Returns e.g. `from the catalogue: 'memory' (Knowledge graph memory), reviewed on 2026-11-22, ...`. */
export function overlayText(source: Source): string {
  const parts =
    source.kind === 'package'
      ? [`from its package ${source.package}${source.version === undefined ? '' : ` ${source.version}`}`]
      : [
          `from ${source.project ? "the project's" : 'the'} catalogue: '${source.entry}' (${source.title})`,
          `reviewed on ${source.reviewed}`,
          source.checked === 'server'
            ? `checked with version ${source.version}`
            : `checked against the documentation of version ${source.version}`,
        ];
  const hash = `hash ${source.hash.slice(0, DIGITS)}`;
  const notChecked = "not checked: this server's tools could not be listed";
  return oneLine([...parts, hash, ...(source.unchecked ? [notChecked] : [])].join(', '));
}

/** Question whether to use hooks that a server didn't declare. */
export function offerText(server: string, hooks: number, source: Source): string {
  const count = hooks === 1 ? 'one hook' : `${hooks} hooks`;
  const reached = source.unchecked ? 'can only be reached by its client, after a login' : 'declares no hooks';
  return `${oneLine(server)} ${reached}. Use ${count} ${overlayText(source)}?`;
}

/** Question before a package is run to verify an entry. */
export const verifyQuestion = (shown: string): string => `Run ${oneLine(shown)} on this machine?`;

/** Returns the result of verifying an entry. */
export function verifiedText({
  entry,
  against,
  good,
  shown = '',
}: {
  entry: { id: string; project?: true };
  against: 'server' | 'rules';
  good: boolean;
  shown?: string;
}): string {
  const id = `${oneLine(entry.id)}${entry.project ? " from the project's catalogue" : ''}`;
  if (!good) return `${id} is not verified`;
  return against === 'rules'
    ? `${id} follows the rules; to compare it with its server, give your own command (-- <command>)`
    : `${id} matches ${oneLine(shown)}`;
}

export const withdrawnText = ({ on, reason }: { on: string; reason: string }): string =>
  `withdrawn on ${on}: ${reason}`;

/** Returns what there is to know about an entry; `whole`: with its tools and hash. */
export function entryText(entry: {
  project?: true;
  hooks: number;
  version: string;
  checked: 'server' | 'docs';
  reviewed: string;
  hash: string;
  tools: Readonly<Record<string, string>>;
  whole: boolean;
}): string {
  const { project, hooks, version, checked, reviewed, hash, tools, whole } = entry;
  const how = checked === 'server' ? 'checked with version' : 'checked against the documentation of version';
  const used = Object.entries(tools).map(([tool, does]) => `${tool} (${does})`);
  return [
    ...(project ? ["from the project's catalogue"] : []),
    hooks === 1 ? '1 hook' : `${hooks} hooks`,
    `${how} ${version}`,
    `reviewed on ${reviewed}`,
    ...(whole ? [`hash ${hash.slice(0, DIGITS)}`, `tools: ${used.join(', ') || 'none'}`] : []),
  ].join(', ');
}
