/** A page of another origin that stands around one of ours in a frame. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ForeignPage {
  /** `http://localhost:<port>`. */
  readonly origin: string;
  /** The address of the page that frames `address`. */
  framing(address: string): string;
  close(): Promise<void>;
}

export async function startForeignPage(): Promise<ForeignPage> {
  const server = createServer((req, res) => {
    const address = decodeURIComponent(req.url?.slice(2) ?? '').replaceAll('"', '&quot;');
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    res.end(
      `<!doctype html><html lang="en"><title>Elsewhere</title><link rel="icon" href="data:,"><iframe title="Numbers" width="900" height="700" src="${address}"></iframe>`,
    );
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    framing: (address) => `${origin}/?${encodeURIComponent(address)}`,
    close: () => new Promise((done) => server.close(() => done())),
  };
}
