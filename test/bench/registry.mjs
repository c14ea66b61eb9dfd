// A registry of npm packages with one package, for `npx` without a network: node registry.mjs <tarball> <name> <version>.
// Prints its address.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [tarball, name, version] = process.argv.slice(2);
const bytes = readFileSync(tarball);
const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
const server = createServer(({ url, headers }, answer) => {
  if (url.endsWith('.tgz')) return answer.end(bytes);
  if (url !== `/${name}`) return answer.writeHead(404).end('{}');
  const dist = { tarball: `http://${headers.host}/${name}.tgz`, integrity };
  const one = { name, version, bin: { [name]: 'server.mjs' }, dist };
  answer.setHeader('content-type', 'application/json');
  answer.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: one } }));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
// It ends with the bench.
process.stdin.on('end', () => process.exit()).resume();
