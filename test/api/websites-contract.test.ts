/** The contract of the websites' endpoints, status by status, through the whole server. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { protectedRouteCases } from '../support/route-cases.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

describe("the contract of the websites' endpoints", () => {
  let started: TestServer;
  const server = () => started;

  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  describe('GET /v1/websites', () => {
    const route = { method: 'GET', path: '/v1/websites', wrongMethods: ['PUT', 'DELETE'] };

    it('answers 200 with a page of websites', async () => {
      const answer = await server().call('GET', `${route.path}?limit=1`, { key: server().keys.all });
      expectSuccess(answer);
      expect(answer.body.data).to.have.length(1);
      expect(answer.body.nextCursor).to.be.a('string');
    });

    it('answers 400 VALIDATION_ERROR to a faulty limit', async () => {
      expectError(
        await server().call('GET', `${route.path}?limit=0`, { key: server().keys.all }),
        400,
        'VALIDATION_ERROR',
      );
    });

    protectedRouteCases(server, route, 'read:data', 'trackOnly');
  });

  describe('GET /v1/websites/:id', () => {
    const route = { method: 'GET', path: '/v1/websites/web_shop', wrongMethods: ['POST'] };

    it('answers 200 with the website', async () => {
      const answer = await server().call('GET', route.path, { key: server().keys.all });
      expectSuccess(answer);
      expect(answer.body.data.domain).to.equal('shop.example.com');
    });

    it('answers 403 ACCESS_DENIED alike for a missing, a foreign and an unlisted website', async () => {
      for (const id of ['web_none', 'web_free', 'web_blog']) {
        const answer = await server().call('GET', `/v1/websites/${id}`, { key: server().keys.shopOnly });
        expectError(answer, 403, 'ACCESS_DENIED');
      }
    });

    protectedRouteCases(server, route, 'read:data', 'trackOnly');
  });
});
