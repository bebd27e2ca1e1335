/** A website on a port of its own whose pages carry the tracker. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TrackedWebsite {
  /** `http://localhost:<port>`: its pages carry the tracker. */
  readonly origin: string;
  /** The same server as another host, where no page carries it. */
  readonly elsewhere: string;
  close(): Promise<void>;
}

const LINKS = `
  <a id="products" href="/products">Products</a>
  <a id="out" href="ELSEWHERE/partner?from=shop">
    Our   <b>partner</b>
  </a>`;

const BODIES: Record<string, string> = {
  '/': `<h1>Home</h1>${LINKS}<button id="signup" data-track="newsletter_signup" data-plan="pro">Sign up</button>`,
  '/products': `<h1>Products</h1>${LINKS}
    <button id="detail" onclick="history.pushState({}, '', '/products/1?ref=list'); document.title = 'Product 1'">Detail</button>
    <button id="cart" onclick="tidegate.track('add_to_cart', { sku: 'A-1', price: 12.5 })">Cart</button>
    <button id="fail" onclick="window.missing.call()">Fail</button>
    <button id="reject" onclick="Promise.reject(new TypeError('rejected'))">Reject</button>`,
  '/clobbered': '<img name="currentScript" alt=""><a id="tidegate">Gate</a>',
  '/tall': '<h1>Tall</h1><div style="height: 2000px"></div>',
};

/** Serves the website; `attributes` stand in the element of the tracker, which `apiOrigin` serves. */
export async function startTrackedWebsite(apiOrigin: string, attributes: string): Promise<TrackedWebsite> {
  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost');
    const isOwn = req.headers.host?.startsWith('localhost:') === true;
    const script = `<script defer src="${apiOrigin}/tracker.js" ${attributes}></script>`;
    const { port } = server.address() as AddressInfo;
    const body = (BODIES[pathname] ?? '<h1>Page</h1>').replaceAll('ELSEWHERE', `http://127.0.0.1:${port}`);
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    res.end(`<!doctype html><title>Page ${pathname}</title>${isOwn ? script : ''}${body}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    elsewhere: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
