// Entry point `mcphooks/authoring`: what a server needs at run time, without the rest of the library.
export { type Declaration, EVENTS, type HookEvent, type Priority } from '../declarations/types.ts';
export type { When } from '../declarations/when.ts';
export { Fault, Faults } from '../messages/fault.ts';
export {
  defineHooks,
  type Hook,
  type HooksCapabilities,
  type HooksDocument,
  hooksCapabilities,
} from './define-hooks.ts';
export { withHooks } from './with-hooks.ts';
