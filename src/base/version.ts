/** This version of mcphooks, e.g. `0.1.0`; `dev` when run from source. */
export const VERSION = process.env.MCPHOOKS_VERSION ?? 'dev';
