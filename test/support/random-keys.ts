/** What a spray of random keys may cost: no look-up for malformed ones, bounded look-ups and memory for well-formed ones. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { authPolicy } from '../../plugins/auth/auth-policy.ts';
import { rateLimitPolicy } from '../../plugins/rate-limit/rate-limit-policy.ts';
import { memoryInUse } from './memory-in-use.ts';
import { createTestRuntime, passThrough, TEST_PLANS, testEndpoint, testRequest } from './policy-kit.ts';
import { createTestClock } from './test-clock.ts';
import { createWatchedKeys, createWatchedVerdicts, newKey } from './watched-keys.ts';

/** What the heap may grow by, in bytes; the bounded verdicts take some 3 MB of it. */
const HEAP_BYTES = 32 * 1024 * 1024;
/** Verdicts on bad keys that are remembered at most: two generations of 10,000. */
const BAD_VERDICTS = 20_000;
/** The clock moves on between the parts of a spray, past the age of verdicts or past a window of the public limit. */
const PARTS = 4;
const VERDICT_AGE_MS = 4_000;
const WINDOW_MS = 60_000;

/** Declares the tests with this many keys each. */
export function describeRandomKeys(count: number): void {
  describe(`${count} random keys`, function () {
    this.timeout(60_000 + count);
    const part = count / PARTS;

    it('cause no look-up when malformed', async () => {
      const { verdicts, lookUps } = await createWatchedVerdicts();
      for (let sent = 0; sent < count; sent++) {
        const wrong = malformed(sent);
        if (verdicts.judge(wrong, () => true) !== null) throw new Error(`judged: ${wrong}`);
      }
      expect(lookUps()).to.equal(0);
      expect(verdicts.held).to.equal(0);
    });

    it('hold bounded memory when well-formed, and drop no good verdict', async () => {
      const fixture = await createWatchedVerdicts();
      const before = memoryInUse().heapUsed;
      for (let parts = 0; parts < PARTS; parts++) {
        fixture.clock.advance(VERDICT_AGE_MS);
        expect(await fixture.isGood(fixture.key)).to.equal(true);
        for (let sent = 0; sent < part; sent++) {
          if (await fixture.isGood(newKey())) throw new Error('a stranger got in');
        }
        expect(await fixture.isGood(fixture.key)).to.equal(true);
      }
      // Bad ones of the last two parts at most, and the good key's of now and of the part before.
      expect(fixture.verdicts.held).to.be.at.most(Math.min(BAD_VERDICTS, 2 * part) + 2);
      expect(fixture.lookUps()).to.equal(count + PARTS);
      expect(memoryInUse().heapUsed - before).to.be.below(HEAP_BYTES);
    });

    it('of one address cause as many look-ups as it has budget, and hurt no live key beside them', async () => {
      const clock = createTestClock();
      const keys = await createWatchedKeys(clock);
      const runtime = createTestRuntime(keys.documents, clock);
      const auth = authPolicy.create({}, runtime);
      const limit = rateLimitPolicy.create({}, runtime);
      const endpoint = testEndpoint();
      /** Whether the key is taken for good. */
      async function send(key: string): Promise<boolean> {
        const req = testRequest(runtime, endpoint, ['x-api-key', key]);
        await passThrough(auth, req);
        await passThrough(limit, req);
        return req.context.principal !== null;
      }
      // The index of keys is read by now: a stranger's key is known for one.
      await nextTurn();
      const before = memoryInUse().heapUsed;
      for (let parts = 0; parts < PARTS; parts++) {
        for (let sent = 0; sent < part; sent++) {
          if (await send(newKey())) throw new Error('a stranger got in');
        }
        expect(await send(keys.key)).to.equal(true);
        clock.advance(WINDOW_MS);
      }
      expect(keys.lookUps()).to.equal(PARTS * (TEST_PLANS.limits.public.limit + 1));
      expect(memoryInUse().heapUsed - before).to.be.below(HEAP_BYTES);
    });
  });
}

/** A text that is nearly a key: each kind of fault in turn. */
function malformed(turn: number): string {
  const text = newKey();
  switch (turn % 4) {
    case 0:
      return text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a');
    case 1:
      return text.slice(0, 20) + text.slice(21);
    case 2:
      return text.toUpperCase();
    default:
      return `${text}0`;
  }
}
