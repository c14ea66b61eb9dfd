/** The one class that is used of a large package: esbuild bundles all of a package that an `import()` names. */
export { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
