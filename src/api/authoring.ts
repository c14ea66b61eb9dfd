import { CLIENT_IDS, type ClientId } from '../clients/client.ts';
import { type AnyForm, fromAnyForm } from '../declarations/any-form.ts';
import { parseDeclarations } from '../declarations/parse.ts';
import { inDocument, type Locate } from '../declarations/path.ts';
import type { Declaration } from '../declarations/types.ts';
import { anywhere, lintClient, lintWarnings } from '../lint/lint.ts';
import type { Warning } from '../lint/types.ts';
import { Fault, Faults } from '../messages/fault.ts';
import { warningText } from '../messages/warnings.ts';
import type { InstallOptions } from '../plan/options.ts';
import { DEFAULT_OPTIONS } from '../plan/options.ts';
import type { HookOutcome } from '../plan/types.ts';
import { toolFaults } from '../servers/tools/check-tools.ts';
import type { ServerTool } from '../servers/types.ts';
import { inWords } from './in-words.ts';
import { validRequest } from './valid-request.ts';

/**
 * Parses a document of unknown shape, in any form that a file of declarations may have, and returns its declarations.
 * Conditions are allowed unless `when` is false, as at the places named in SEP-2282. Throws `Faults`.
 */
export const parse = inWords(
  (document: unknown, options: Partial<InstallOptions> & { when?: boolean } = {}): Declaration[] => {
    const form = inAnyForm(document, inDocument);
    return parseForm(form, { when: true, ...validRequest(options, 'parse') });
  },
);

function parseForm({ document, locate }: AnyForm, options: Partial<InstallOptions> & { when: boolean }) {
  return parseDeclarations(document, { ...DEFAULT_OPTIONS, ...options, lenient: false, locate }).declarations;
}

function inAnyForm(document: unknown, locate: Locate): AnyForm {
  try {
    return fromAnyForm(document, locate);
  } catch (error) {
    throw error instanceof Fault ? new Faults([error]) : error;
  }
}

/** Returns all errors of a document; empty when the document is valid. */
export const validate = inWords(
  (document: unknown, options: Partial<InstallOptions> & { when?: boolean } = {}): readonly Fault[] => {
    const valid = validRequest(options, 'parse');
    try {
      parse(document, valid);
      return [];
    } catch (error) {
      if (error instanceof Faults) return error.faults;
      throw error;
    }
  },
);

export interface LintRequest {
  /** The server's name, as users are likely to configure it. */
  server?: string;
  /** The server's tools, as in `tools/list`; when undefined, calls aren't checked against them. */
  tools?: readonly ServerTool[];
  clients?: readonly ClientId[];
  options?: Partial<InstallOptions>;
  locate?: Locate;
}

export interface Linted {
  declarations: Declaration[];
  warnings: (Warning & { message: string })[];
  clients: { client: ClientId; hooks: readonly HookOutcome[] }[];
}

/**
 * Returns warnings for the author of a document, and how each declaration is compiled for each client. Throws `Faults`.
 * Starts nothing.
 */
export const lint = inWords((document: unknown, request: LintRequest = {}): Linted => {
  const options = { ...DEFAULT_OPTIONS, ...validRequest(request, 'lint').options };
  const { server = 'server', tools } = request;
  const form = inAnyForm(document, request.locate ?? inDocument);
  const { locate } = form;
  const declarations = parseForm(form, { ...options, when: true });
  const faults = tools ? declarations.flatMap((d, i) => toolFaults(d, i, tools, locate)) : [];
  if (faults.length > 0) throw new Faults(faults);
  const known = anywhere(declarations, server, options);
  const clients = (request.clients ?? CLIENT_IDS).map((id) => lintClient(id, known));
  const warnings = lintWarnings(
    { declarations, isEmpty: declarations.length === 0, options, clients, ...(tools && { tools }) },
    locate,
  );
  return {
    declarations,
    warnings: warnings.map((w) => ({ ...w, message: warningText(w) })),
    clients: clients.map(({ client, cells }) => ({ client: client.id, hooks: cells })),
  };
});
