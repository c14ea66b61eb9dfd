import { scryptSync } from 'node:crypto';
import { sha256 } from '../base/sha256.ts';
import { canonicalJson } from '../declarations/canonical-json.ts';
import { withoutQueryTokens, withoutTokens } from './mask.ts';
import { isSecretName, isVariable, maskArgs, maskText } from './secrets.ts';
import type { Definition, DefinitionSource } from './types.ts';
import { canonicalUrl } from './url.ts';

/**
 * What an approval covers (contract, "Trust"), as 64 hexadecimal digits, the same on every machine. Of a definition that
 * others may have written, or that the command line gave: all of it, as parsed, `${VAR}` unexpanded. Of the user's own
 * files: what runs or is reached, the names of variables and headers, and the variables that their values refer to.
 */
export function definitionHash(definition: Definition, source: Pick<DefinitionSource, 'scope'>): string {
  const plain = sha256(coveredText(definition, source));
  return holdsSecret(coveredPart(definition, source)) ? stretched(plain) : plain;
}

/** What is hashed, as canonical JSON. May hold secrets. */
export function coveredText(definition: Definition, source: Pick<DefinitionSource, 'scope'>): string {
  return canonicalJson({ whole: isWhole(source), ...coveredPart(definition, source) });
}

const isWhole = ({ scope }: Pick<DefinitionSource, 'scope'>): boolean =>
  scope === 'project' || scope === 'command-line';

const coveredPart = (
  definition: Definition,
  source: Pick<DefinitionSource, 'scope'>,
): Definition | OwnPart => (isWhole(source) ? definition : ownPart(definition));

/** Whether two definitions run or reach the same; their secrets may differ. */
export function sameServer(a: Definition, b: Definition): boolean {
  return canonicalJson(ownPart(a)) === canonicalJson(ownPart(b));
}

type OwnPart = ReturnType<typeof ownPart>;

function ownPart(definition: Definition) {
  if (definition.transport === 'stdio') {
    const { transport, command, args, cwd, env, passEnv = [] } = definition;
    return {
      transport,
      command,
      args: withoutTokens(args),
      cwd,
      env: references(env),
      passEnv: [...passEnv].sort(),
    };
  }
  const { transport, url, headers, envHeaders = {}, bearerEnv, heldBy } = definition;
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    transport,
    url: withoutQueryTokens(canonicalUrl(url) ?? url),
    headers: references(lower),
    envHeaders,
    bearerEnv,
    heldBy,
  };
}

/** `${NAME}`, `${NAME:-default}`, `${env:NAME}` and `{env:NAME}`. */
const REFERENCE = /\$\{(?:env:)?(\w+|\/)(?=[:}])|(?<!\$)\{env:(\w+)\}/g;

/** Of each value the variables that it refers to: `$NAME` only where it is nothing else, for it may be part of a secret. */
function references(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isVariable(value) ? value : [...value.matchAll(REFERENCE)].map((m) => `\${${m[1] ?? m[2]}}`).join(''),
    ]),
  );
}

/** Whether what is hashed may hold a secret. */
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
const known = new Map<string, string>();

/**
 * The hash stands in records, shims and a project's lock file. Where a secret is part of it, which may be a short one,
 * each guess must cost more than a plain hash does.
 */
function stretched(plain: string): string {
  const found = known.get(plain) ?? scryptSync(plain, 'mcphooks definition', 32, COST).toString('hex');
  known.set(plain, found);
  return found;
}
