/** The text of program.js (build.mjs, vitest.config.ts). */
declare const program: string;
export default program;
