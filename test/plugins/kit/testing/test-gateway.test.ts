/** The test gateway treats a policy as the running one does: parameters, order, refusals, headers, counters, time. */
import { expect } from 'chai';
import { ApiError, answerJson, definePolicy, z } from '../../../../plugins/kit/plugin.ts';
import { createTestGateway, step, TestClock } from '../../../../plugins/kit/testing.ts';
import { rateLimitPolicy } from '../../../../plugins/rate-limit/rate-limit-policy.ts';
import { rejection } from '../../../support/rejection.ts';
import { requireHeaderPolicy } from '../require-header/require-header-policy.ts';

const strict = z.strictObject({});

describe('the test gateway', () => {
  it('says what a policy refuses, and that it hands on what it does not', async () => {
    const gateway = createTestGateway();
    const refused = await gateway.run(requireHeaderPolicy, { header: 'x-team' });
    expect([refused.passed, refused.status, refused.code]).to.deep.equal([false, 400, 'VALIDATION_ERROR']);
    expect(refused.json).to.deep.include({
      details: [{ field: 'x-team', message: 'This header is required.' }],
    });
    const passed = await gateway.run(
      requireHeaderPolicy,
      { header: 'x-team' },
      { headers: { 'x-team': 'a' } },
    );
    expect([passed.passed, passed.status, passed.code, passed.text]).to.deep.equal([true, 200, null, '{}']);
  });

  it('judges parameters by the schema of the policy', async () => {
    const fault = await rejection(createTestGateway().run(requireHeaderPolicy, { heder: 'x-team' }));
    expect((fault as Error).name).to.equal('ZodError');
    expect((fault as Error).message).to.contain('heder');
  });

  it('makes a policy once for its parameters, and calls its onClose at the end', async () => {
    let made = 0;
    let closed = 0;
    const counting = definePolicy({
      name: 'counting',
      schema: strict,
      create(_params, runtime) {
        made++;
        runtime.onClose(() => {
          closed++;
        });
        return (_req, _res, next) => next();
      },
    });
    const gateway = createTestGateway();
    await gateway.run(counting);
    await gateway.run(counting);
    expect([made, closed]).to.deep.equal([1, 0]);
    await gateway.close();
    expect([made, closed]).to.deep.equal([1, 1]);
  });

  it('gives a policy the request, its body and who asks, and carries added headers to the answer', async () => {
    const echo = definePolicy({
      name: 'echo',
      schema: strict,
      create: () => (req, res) => {
        const { principal, body, endpoint, requestId, address } = req.context;
        req.context.addHeader('X-Echo', 'yes');
        const caller = principal?.caller.id ?? null;
        const told = { caller, body: `${body}`, name: endpoint.name, requestId, address };
        answerJson(req, res, 201, { ...told, url: req.url, method: req.method });
      },
    });
    const answer = await createTestGateway().run(
      echo,
      {},
      {
        method: 'POST',
        url: '/things?a=1',
        body: 'text',
        bodyWasRead: true,
        caller: { id: 'key_a' },
        endpoint: { name: 'things' },
      },
    );
    expect([answer.passed, answer.status, answer.code]).to.deep.equal([false, 201, null]);
    expect(answer.json).to.deep.equal({
      caller: 'key_a',
      body: 'text',
      name: 'things',
      requestId: 'req_test',
      address: '192.0.2.7',
      url: '/things?a=1',
      method: 'POST',
    });
    expect(answer.headers.get('x-echo')).to.equal('yes');
    expect(answer.headers.get('x-request-id')).to.equal('req_test');
  });

  it('streams a body that nobody has read', async () => {
    const measure = definePolicy({
      name: 'measure',
      schema: strict,
      create: () => async (req, res) => {
        let bytes = 0;
        for await (const chunk of req) bytes += (chunk as Buffer).length;
        answerJson(req, res, 200, { bytes, isRead: req.context.body !== null });
      },
    });
    const body = 'x'.repeat(300_000);
    const answer = await createTestGateway().run(measure, {}, { method: 'POST', body });
    expect(answer.json).to.deep.equal({ bytes: 300_000, isRead: false });
  });

  it('counts a refusal before it is answered, by the limits and the clock of the test', async () => {
    const clock = new TestClock();
    const gateway = createTestGateway({
      clock,
      plans: {
        plans: { free: { per10Seconds: 2, perMinute: 300 } },
        limits: { public: { limit: 9, windowSeconds: 60 } },
      },
    });
    const pipeline = [step(requireHeaderPolicy, { header: 'x-team' }), step(rateLimitPolicy)];
    const send = () => gateway.runPipeline(pipeline, { caller: {} });
    const [first, second, third] = [await send(), await send(), await send()];
    expect([first.status, second.status, third.status]).to.deep.equal([400, 400, 429]);
    expect(second.headers.get('x-ratelimit-remaining')).to.equal('0');
    expect(third.code).to.equal('RATE_LIMIT_EXCEEDED');
    clock.advance(10_000);
    expect((await send()).status).to.equal(400);
  });

  it('turns what a policy throws or rejects with into the error answer', async () => {
    const throws = definePolicy({
      name: 'throws',
      schema: strict,
      create: () => () => {
        throw new TypeError('the address of the directory server is missing');
      },
    });
    const rejects = definePolicy({
      name: 'rejects',
      schema: strict,
      create: () => async () => {
        throw new ApiError('NOT_FOUND');
      },
    });
    const thrown = await createTestGateway().run(throws);
    expect([thrown.status, thrown.code]).to.deep.equal([500, 'INTERNAL_ERROR']);
    expect(thrown.text).not.to.contain('directory server');
    expect((await createTestGateway().run(rejects)).status).to.equal(404);
  });

  it('names the policy that neither answers nor hands on', async () => {
    const silent = definePolicy({ name: 'silent', schema: strict, create: () => () => {} });
    const fault = await rejection(createTestGateway({ patienceMs: 1_000 }).run(silent));
    expect((fault as Error).message).to.equal('the policy "silent" neither answered nor called next');
  });
});
