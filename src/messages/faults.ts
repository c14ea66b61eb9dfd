import { once } from '../base/once.ts';
import type { FaultArgs, Where } from './args.ts';
import { type CatalogueFaults, catalogueFaults } from './faults/catalogue.ts';
import { type ConsentFaults, consentFaults } from './faults/consent.ts';
import { type DeclarationsFaults, declarationsFaults } from './faults/declarations.ts';
import { type EditFaults, editFaults } from './faults/edit.ts';
import { type ExportFaults, exportFaults } from './faults/export.ts';
import { type PlanFaults, planFaults } from './faults/plan.ts';
import { type ProjectFaults, projectFaults } from './faults/project.ts';
import { type ReachFaults, reachFaults } from './faults/reach.ts';
import { type ServersFaults, serversFaults } from './faults/servers.ts';
import { type StoreFaults, storeFaults } from './faults/store.ts';
import { type UsageFaults, usageFaults } from './faults/usage.ts';
import { type WhenFaults, whenFaults } from './faults/when.ts';
import { textOf, type Wordings } from './words.ts';

/** Arguments of all Faults, by code. */
export interface FaultArgsOf
  extends CatalogueFaults,
    ConsentFaults,
    DeclarationsFaults,
    EditFaults,
    ExportFaults,
    PlanFaults,
    ProjectFaults,
    ReachFaults,
    ServersFaults,
    StoreFaults,
    UsageFaults,
    WhenFaults {}

export type FaultCode = keyof FaultArgsOf;

/** Sentences of all Faults, built when the first is shown: most commands show none. */
export const wordings = once(
  (): Wordings<FaultArgsOf> => ({
    ...usageFaults(),
    ...declarationsFaults(),
    ...whenFaults(),
    ...serversFaults(),
    ...reachFaults(),
    ...editFaults(),
    ...storeFaults(),
    ...projectFaults(),
    ...planFaults(),
    ...catalogueFaults(),
    ...consentFaults(),
    ...exportFaults(),
  }),
);

/** Returns a Fault as text for stderr: what, where, and what to do. */
export function faultText(fault: { code: FaultCode; args: FaultArgs; where: Where }): string {
  const text = textOf(wordings()[fault.code], fault.args, fault.where);
  return fault.args.noCheck
    ? `${text}\n  To use the declarations without asking the server, add --no-check.`
    : text;
}
