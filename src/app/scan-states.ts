/**
 * State of a server. `declares`: it declares hooks itself; `package`, `catalogue`: hooks are there for it; `none`: it
 * was asked and there are none; `not-asked`: nothing is known; `failed`: it could not be asked, or its entry not read.
 */
export const SCAN_STATES = ['declares', 'package', 'catalogue', 'none', 'not-asked', 'failed'] as const;
export type ScanState = (typeof SCAN_STATES)[number];
