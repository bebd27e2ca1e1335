/** What a policy of a third party is given: its part of the runtime, and nothing that a log line could give away. */
import { inspect } from 'node:util';
import { expect } from 'chai';
import { defineGatewayPolicy } from '../../../plugins/kit/gateway-policy.ts';
import { definePolicy, type PolicyRuntime, z } from '../../../plugins/kit/plugin.ts';
import { createTestGatewayOver } from '../../../plugins/kit/testing/test-gateway.ts';
import { TestClock } from '../../../plugins/kit/testing.ts';

const COOKIE_KEY = new Uint8Array(32).fill(0xab);
const PART = ['clock', 'counters', 'logger', 'metrics', 'onClose', 'plans'];

describe('a policy of a third party', () => {
  /** What one policy got in `create`, at a request, and what it could print of that. */
  async function given() {
    const gateway = createTestGatewayOver(new TestClock(), { cookieKey: COOKIE_KEY });
    const seen: { created?: PolicyRuntime; asked?: PolicyRuntime; printed?: string } = {};
    const curious = definePolicy({
      name: 'curious',
      schema: z.strictObject({}),
      create(_params, runtime) {
        seen.created = runtime;
        return ({ context }, _res, next) => {
          seen.asked = context.runtime;
          seen.printed = inspect([runtime, context], { depth: 6, showHidden: true, maxArrayLength: null });
          next();
        };
      },
    });
    const { passed } = await gateway.run(curious);
    expect(passed).to.equal(true);
    return { ...seen, ofGateway: gateway.runtime };
  }

  it('gets the part of the runtime that its type names, the same at each request, and cannot change it', async () => {
    const { created, asked, ofGateway } = await given();
    expect(Object.keys(created ?? {}).sort()).to.deep.equal(PART);
    expect(asked).to.equal(created);
    expect(ofGateway).to.equal(created);
    expect(() => Object.assign(created ?? {}, { counters: null })).to.throw(TypeError);
  });

  it('prints no key of the gateway with what it was given', async () => {
    const { printed } = await given();
    expect(printed).to.contain('requestId');
    expect(printed).to.not.contain('171, 171');
    expect(printed).to.not.contain('cookieKey');
  });

  it('leaves policies of our own the whole', async () => {
    let cookieKey: Uint8Array | undefined;
    const own = defineGatewayPolicy({
      name: 'own',
      schema: z.strictObject({}),
      create: (_params, runtime) => (req, _res, next) => {
        if (req.context.gateway === runtime) cookieKey = runtime.cookieKey;
        next();
      },
    });
    await createTestGatewayOver(new TestClock(), { cookieKey: COOKIE_KEY }).run(own);
    expect(cookieKey).to.equal(COOKIE_KEY);
  });
});
