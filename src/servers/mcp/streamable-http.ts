/** The only part that we use of a large package: a bundler leaves the rest out of this file, but not out of an `import()`. */
export { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
