/** Contract, "Commands": the states of an install on one client. */
export const STATES = ['current', 'changed', 'edited', 'missing', 'untrusted', 'disabled'] as const;
export type State = (typeof STATES)[number];
