import { scryptSync } from 'node:crypto';
import { mapValues } from '../../base/json-value.ts';
import { remembering } from '../../base/once.ts';
import { sha256 } from '../../base/sha256.ts';
import type { McpDialect, UnsetReference } from '../../clients/mcp-config.ts';
import { canonicalJson } from '../../declarations/canonical-json.ts';
import { withoutQueryTokens, withoutTokens } from '../masking/mask.ts';
import { isSecretName, isVariable, maskArgs, maskText, referencesIn } from '../masking/secrets.ts';
import type { Definition, DefinitionSource } from '../types.ts';
import { canonicalUrl } from '../url.ts';

type ScopedSource = Pick<DefinitionSource, 'scope'>;

/**
 * Hash of what an approval covers (docs/security.md, "Servers"): 64 hexadecimal digits, equal on every machine. For a
 * definition from a project or the command line, covers all of the parsed definition, with `${VAR}` unexpanded. For the
 * user's own files, covers the program or URL, the names of variables and headers, and the variables in their values.
 * `dialect`: that of the definition's client; undefined gives the hash that earlier versions made for a project.
 */
export function definitionHash(
  definition: Definition,
  source: ScopedSource,
  dialect: McpDialect | undefined,
): string {
  const plain = sha256(coveredText(definition, source, dialect));
  return holdsSecret(coveredPart(definition, source)) ? stretched(plain) : plain;
}

/** Returns the hashed content as canonical JSON. May contain secrets. */
export function coveredText(
  definition: Definition,
  source: ScopedSource,
  dialect: McpDialect | undefined,
): string {
  return canonicalJson({
    whole: isWhole(source),
    ...coveredPart(definition, source),
    ...(source.scope === 'project' && dialect && { dialect: decisive(dialect) }),
  });
}

/** Members of a dialect that decide which variables a server gets, and how its definition is read. */
const DECISIVE = [
  'expand',
  'fallbacks',
  'expandOnly',
  'bareEnv',
  'includesFiles',
  'stands',
  'inherits',
  'drops',
  'adds',
] as const satisfies (keyof McpDialect)[];

/** The names that hashes have for `unset`: an approval by an earlier version still holds. */
const HASHED_UNSET: Readonly<Record<UnsetReference, string>> = {
  empty: 'emptyAnywhere',
  'empty-in-env': 'emptyInEnv',
  stops: 'unsetStops',
};

/**
 * Returns the dialect's part of the hash. A project's file may be moved to another client, for which a literal text can
 * be a reference to a secret of the user's. A user's own file doesn't move, and its approval covers all clients.
 */
const decisive = (dialect: McpDialect): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(DECISIVE.map((key) => [key, dialect[key]])),
  ...(dialect.unset && { [HASHED_UNSET[dialect.unset]]: true }),
});

const isWhole = ({ scope }: ScopedSource): boolean => scope === 'project' || scope === 'command-line';

const coveredPart = (definition: Definition, source: ScopedSource): Definition | OwnPart =>
  isWhole(source) ? definition : ownPart(definition);

/** True when two definitions are equal, including secrets. */
export const saysTheSame = (a: Definition, b: Definition): boolean => canonicalJson(a) === canonicalJson(b);

/** True when two definitions run the same program or reach the same URL; their secrets may differ. */
export function sameServer(a: Definition, b: Definition): boolean {
  return canonicalJson(ownPart(a)) === canonicalJson(ownPart(b));
}

type OwnPart = ReturnType<typeof ownPart>;

function ownPart(definition: Definition) {
  if (definition.transport === 'stdio') {
    const { transport, command, args, cwd, env, envFile, passEnv = [] } = definition;
    return {
      transport,
      command,
      args: withoutTokens(args),
      cwd,
      env: references(env),
      envFile,
      passEnv: [...passEnv].sort(),
    };
  }
  const { transport, url, headers, envHeaders = {}, bearerEnv, heldBy } = definition;
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    transport,
    url: withoutQueryTokens(withEncodedBraces(canonicalUrl(url) ?? url)),
    headers: references(lower),
    envHeaders,
    bearerEnv,
    heldBy,
  };
}

/** Returns an address with `{env:NAME}` in its path as approvals by earlier versions have it. */
const withEncodedBraces = (url: string): string =>
  url.replace(/^[^?#]*/, (path) => path.replaceAll(/\{(env:[^{}]*)\}/g, '%7B$1%7D'));

/**
 * Returns, for each value, the references to variables in it. `$NAME` counts only as the whole value; elsewhere it may
 * be part of a secret.
 */
const references = (values: Readonly<Record<string, string>>): Record<string, string> =>
  mapValues(values, (value) => (isVariable(value) ? value : referencesIn(value).join('')));

/** True when the hashed content may contain a secret. */
function holdsSecret(covered: Definition | OwnPart): boolean {
  const secret = ([name, value]: [string, string]): boolean =>
    value !== '' && !isVariable(value) && (isSecretName(name) || maskText(value) !== value);
  if (covered.transport === 'stdio')
    return (
      [covered.command, ...covered.args].some((word) => maskText(word) !== word) ||
      maskArgs(covered.args).join('\0') !== covered.args.join('\0') ||
      Object.entries(covered.env).some(secret)
    );
  return maskText(covered.url) !== covered.url || Object.entries(covered.headers).some(secret);
}

/** About 20 ms and 8 MB. */
const COST = { N: 2 ** 13, r: 8, p: 1 };

/**
 * Returns a slow hash. Records, shims and a project's lock file contain the hash, so when a secret, perhaps a short
 * one, is part of it, each guess must cost more than a plain hash.
 */
const stretched = remembering((plain: string): string =>
  scryptSync(plain, 'mcphooks definition', 32, COST).toString('hex'),
);
