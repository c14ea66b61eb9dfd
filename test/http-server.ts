import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers requests at a free port of this machine until `use`, which gets the URL, has ended. */
export async function withHttp<T>(answer: RequestListener, use: (url: string) => Promise<T>): Promise<T> {
  const http = createServer(answer);
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const { port } = http.address() as AddressInfo;
  try {
    return await use(`http://127.0.0.1:${port}/`);
  } finally {
    http.close();
    http.closeAllConnections();
  }
}
