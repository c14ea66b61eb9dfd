/** This version of mcphooks, e.g. `0.1.0`; run from source it has none. */
export const VERSION = process.env.MCPHOOKS_VERSION ?? 'dev';
