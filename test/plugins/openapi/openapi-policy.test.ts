/** The OpenAPI document: made when it is first asked for, not before, and once. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { GatewayRequest, GatewayResponse } from '../../../plugins/kit/request-context.ts';
import { openapiPolicy } from '../../../plugins/openapi/openapi-policy.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import { createTestRuntime, testEndpoint, testRequest } from '../../support/policy-kit.ts';
import { createTestClock } from '../../support/test-clock.ts';

describe('the openapi policy', () => {
  it('makes the document when it is first asked for, and keeps it', async () => {
    let made = 0;
    const clock = createTestClock();
    const runtime = {
      ...createTestRuntime(createMemoryDocumentStore(clock), clock),
      openApiText: () => `{"made":${++made}}`,
    };
    const answer = openapiPolicy.create({}, runtime);
    expect(made, 'before anybody asks').to.equal(0);
    const server = createServer((req, res) => {
      const { context } = testRequest(runtime, testEndpoint({ access: 'public' }));
      const asked = Object.assign(req, { context }) as unknown as GatewayRequest;
      answer(asked, res as GatewayResponse, () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`;
      const texts = [await fetch(url), await fetch(url)].map((response) => response.text());
      expect(await Promise.all(texts)).to.deep.equal(['{"made":1}', '{"made":1}']);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
