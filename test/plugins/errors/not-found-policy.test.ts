/** What answers where no endpoint does: 404, or 405 with the methods of the path. */
import { expect } from 'chai';
import { notFoundPolicy } from '../../../plugins/errors/not-found-policy.ts';
import { createTestGateway } from '../../../plugins/kit/testing.ts';

describe('the not-found policy', () => {
  const gateway = createTestGateway();

  it('answers 404 for a path that nobody serves', async () => {
    const answer = await gateway.run(notFoundPolicy, {}, { endpoint: { allow: null } });
    expect([answer.code, answer.headers.get('allow')]).to.deep.equal(['NOT_FOUND', null]);
    expect(answer.status).to.equal(404);
  });

  it('answers 405 with Allow for a method that a known path does not take', async () => {
    const request = { method: 'DELETE', endpoint: { allow: ['GET', 'HEAD'] } };
    const answer = await gateway.run(notFoundPolicy, {}, request);
    expect([answer.code, answer.headers.get('allow')]).to.deep.equal(['METHOD_NOT_ALLOWED', 'GET, HEAD']);
    expect(answer.status).to.equal(405);
    expect(answer.text).to.contain('DELETE');
  });

  it('takes no parameters', async () => {
    const fault = await gateway.run(notFoundPolicy, { status: 404 }).catch((thrown: Error) => thrown);
    expect(fault).to.have.property('name', 'ZodError');
  });
});
