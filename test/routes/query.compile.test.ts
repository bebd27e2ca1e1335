/** The contract of POST /v1/query/compile through the whole server, status by status. */
import { expect } from 'chai';
import { expectSuccess } from '../support/answers.ts';
import { bodyCases, protectedRouteCases } from '../support/route-cases.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const MIB = 1024 * 1024;

describe('the contract of POST /v1/query/compile', () => {
  let started: TestServer;
  const server = () => started;
  const body = { type: 'pages', from: '2025-01-01', to: '2025-01-31' };
  const path = '/v1/query/compile?website_id=web_shop';
  const route = { method: 'POST', path, body, wrongMethods: ['GET', 'PUT', 'PATCH', 'DELETE'] };

  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  it('answers 200 with what would run: a statement with its parameters', async () => {
    const answer = await server().call('POST', path, { key: server().keys.readOnly, body });
    expectSuccess(answer);
    const { engine, sql, params } = answer.body;
    expect(engine).to.equal('duckdb');
    expect(sql).to.match(/^WITH e AS/);
    expect(Object.values(params)).to.include('web_shop');
  });

  protectedRouteCases(server, route, 'read:data', 'trackOnly');
  bodyCases(server, route, { maxBytes: 2 * MIB, acceptsText: false, streamed: true });
});
