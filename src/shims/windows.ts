/** Returns `<script>.cjs` for Windows: it runs the scripts of all servers. */
export function windowsJoint(runtime: string): string {
  return [
    "'use strict';",
    `const runtime = ${JSON.stringify(runtime)};`,
    "process.on('uncaughtException', () => process.exit(0));",
    "process.argv = [process.argv[0], runtime, __filename.slice(0, -'.cjs'.length)];",
    'require(runtime);',
    '',
  ].join('\n');
}

/** Returns `<shim>.cjs` for Windows: the counterpart of the shell script, without what only a shell can do. */
export function windowsScript(runtime: string): string {
  return [
    "'use strict';",
    `const runtime = ${JSON.stringify(runtime)};`,
    "const { existsSync } = require('node:fs');",
    "const silenced = require('node:path').join(__dirname, '..', '..', 'disabled');",
    "process.on('uncaughtException', () => process.exit(0));",
    "process.argv = [process.argv[0], runtime, __filename.slice(0, -'.cjs'.length)];",
    "if (!existsSync(silenced) && process.env.MCPHOOKS_DISABLE !== '1') require(runtime);",
    '',
  ].join('\n');
}
