export { SCHEMA_NAMES, type SchemaName } from '../cli/json/schemas.ts';
export { CLIENT_IDS, type ClientId } from '../clients/client.ts';
export type { Fidelity } from '../clients/protocol.ts';
export type { ScopeName } from '../clients/scopes.ts';
export {
  type Matcher,
  PRIORITIES,
  TEMPLATE_VARIABLES,
  type TemplateVariable,
} from '../declarations/types.ts';
export { type FaultCode, faultText } from '../messages/faults.ts';
export { noteText } from '../messages/notes.ts';
export type { WarningCode } from '../messages/warnings.ts';
export type { InstallOptions } from '../plan/options.ts';
export type { ClientPlan, HookOutcome, Plan } from '../plan/types.ts';
export type { Removal } from '../plan/uninstall/uninstall.ts';
export type { Declared, ServerTool } from '../servers/types.ts';
export { type Linted, type LintRequest, lint, parse, validate } from './authoring.ts';
export * from './hooks.ts';
export {
  apply,
  type Planned,
  plan,
  readDeclarations,
  type ServerRequest,
  type Surroundings,
  uninstall,
} from './library.ts';
export { jsonSchema } from './schema.ts';
