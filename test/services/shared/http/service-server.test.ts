/** The HTTP server of a service: it answers before it has an app, and gives express its own prototypes. */
import { request } from 'node:http';
import { expect } from 'chai';
import express, { type Express } from 'express';
import { closeServer, listen, originOf } from '../../../../gateway/serve/http/listen.ts';
import {
  createServiceServer,
  type ServiceServer,
} from '../../../../services/shared/http/create-service-server.ts';

describe('The server of a service', () => {
  let service: ServiceServer;
  let origin: string;

  beforeEach(async () => {
    service = createServiceServer(65_536);
    origin = originOf(await listen(service.server, 0, '127.0.0.1'));
  });
  afterEach(() => closeServer(service.server, 100));

  function newApp(): Express {
    const app = express();
    app.post('/echo', express.json(), (req, res) => {
      res.status(201).json({ body: req.body, query: req.query, type: req.get('content-type') });
    });
    return app;
  }

  it('answers 503 until it has an app', async () => {
    expect((await fetch(`${origin}/echo`)).status).to.equal(503);
    service.serve(newApp());
    expect((await fetch(`${origin}/echo`)).status).to.equal(404);
  });

  it("gives handlers express's requests and responses", async () => {
    service.serve(newApp());
    const answer = await fetch(`${origin}/echo?a=1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"b":2}',
    });
    expect(answer.status).to.equal(201);
    expect(await answer.json()).to.deep.equal({
      body: { b: 2 },
      query: { a: '1' },
      type: 'application/json',
    });
  });

  it('changes the prototype of no request and no response', async () => {
    const app = newApp();
    const changed: boolean[] = [];
    service.server.prependListener('request', (req, res) => {
      const before = [Object.getPrototypeOf(req), Object.getPrototypeOf(res)];
      res.on('close', () => {
        changed.push(Object.getPrototypeOf(req) !== before[0] || Object.getPrototypeOf(res) !== before[1]);
      });
    });
    service.serve(app);
    await (await fetch(`${origin}/nothing`)).text();
    await (await fetch(`${origin}/echo`, { method: 'POST' })).text();
    await closeServer(service.server, 100);
    expect(changed).to.deep.equal([false, false]);
  });

  it('reads heads as large as it was told', async () => {
    service.serve(newApp());
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const asked = request(`${origin}/nothing`, { headers: { 'x-large': 'x'.repeat(60_000) } }, (res) => {
        res.resume();
        resolve(res.statusCode);
      });
      asked.on('error', reject).end();
    });
    expect(status).to.equal(404);
  });
});
