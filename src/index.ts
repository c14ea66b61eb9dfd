export type { InstallOptions, Scope } from './apply/types.ts';
export {
  defineHooks,
  type Hook,
  type HooksDocument,
  type Linted,
  type LintRequest,
  lint,
  parse,
  validate,
} from './authoring.ts';
export { CLIENT_IDS, type ClientId, type Fidelity } from './clients/types.ts';
export {
  type Declaration,
  EVENTS,
  type HookEvent,
  type Matcher,
  PRIORITIES,
  type Priority,
  TEMPLATE_VARIABLES,
  type TemplateVariable,
} from './declarations/types.ts';
export {
  apply,
  type Planned,
  plan,
  readDeclarations,
  type ServerRequest,
  type Surroundings,
  uninstall,
} from './library.ts';
export { Fault, type FaultCode, Faults, faultText, noteText, type WarningCode } from './messages.ts';
export type { Cell, ClientPlan, Plan } from './plan/types.ts';
export type { Removal } from './plan/uninstall.ts';
export { jsonSchema, SCHEMA_NAMES, type SchemaName } from './schemas/schemas.ts';
export type { Declared, ServerTool } from './server/types.ts';
