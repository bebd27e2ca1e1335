/** Connections that stay open are judged again: when something changes, after a while, and until nobody can tell any more. */
import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { GatewayRequest, Next } from '../../../plugins/kit/request-context.ts';
import { type LossReason, StandingConnections } from '../../../plugins/proxy/standing-connections.ts';
import type { Caller } from '../../../services/shared/access/caller.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import type { Invalidation } from '../../../services/shared/ports/bus.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import { MemoryBus } from '../../../services/shared/storage/memory/memory-bus.ts';
import { eventually } from '../../support/eventually.ts';
import { knownPrincipal } from '../../support/known-principal.ts';
import { createTestRuntime, testEndpoint, testRequest } from '../../support/policy-kit.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';

/** What the credential of a request is worth now. */
type Worth = Partial<Caller> | 'refused' | 'unknown' | 'unanswered';

class CountedBus extends MemoryBus {
  listeners = 0;

  override subscribe(listener: (invalidation: Invalidation) => void): () => void {
    this.listeners++;
    const leave = super.subscribe(listener);
    return () => {
      this.listeners--;
      leave();
    };
  }
}

interface Held {
  worth: Worth;
  /** How often it was judged. */
  judged: number;
  readonly ends: LossReason[];
  readonly leave: () => void;
}

describe('standing connections', () => {
  let clock: TestClock;
  let bus: CountedBus;
  let standing: StandingConnections;
  let held: Held[];

  beforeEach(() => {
    clock = createTestClock();
    bus = new CountedBus();
    standing = new StandingConnections({ bus, clock });
    held = [];
  });
  afterEach(() => {
    for (const { leave } of held) leave();
    expect([bus.listeners, standing.callers]).to.deep.equal([0, 0]);
  });

  /** Opens one by a credential that is worth `caller`. */
  function hold(caller: Partial<Caller> = {}): Held {
    const runtime = createTestRuntime({} as DocumentStore, clock);
    const req = testRequest(runtime, testEndpoint());
    req.context.principal = knownPrincipal(caller);
    req.context.judge = ({ context }: GatewayRequest, _res: ServerResponse, next: Next) => {
      expect(context.isStanding).to.equal(true);
      opened.judged++;
      const { worth } = opened;
      if (worth === 'unanswered') return;
      if (worth === 'refused') context.refuse(new ApiError('INVALID_API_KEY'));
      else if (worth !== 'unknown') context.principal = knownPrincipal(worth);
      next(worth === 'unknown' ? new ApiError('SERVICE_UNAVAILABLE') : undefined);
    };
    const ends: LossReason[] = [];
    const opened: Held = {
      worth: caller,
      judged: 0,
      ends,
      leave: standing.add(req, {} as ServerResponse, (reason) => ends.push(reason)),
    };
    held.push(opened);
    return opened;
  }

  it('of one caller in several organizations are each judged when its own changes', async () => {
    const [first, second] = [hold(), hold({ organizationId: 'org_b' })];
    await turn();
    first.worth = 'refused';
    second.worth = 'refused';
    bus.publish({ kind: 'organization', id: 'org_b' });
    await turn();
    expect([first.ends, second.ends]).to.deep.equal([[], ['revoked']]);
  });

  it('are judged at once, in case something changed before they opened', async () => {
    const opened = hold();
    opened.worth = 'refused';
    await turn();
    expect(opened.ends).to.deep.equal(['revoked']);
  });

  const KEY = { id: 'key_a', organizationId: 'org_a', keyHash: null };
  const SESSION: Partial<Caller> = { id: 'ses_a', kind: 'session', userId: 'usr_a', role: 'admin' };
  const messages: [changed: Invalidation, caller: Partial<Caller>, concerned: boolean][] = [
    [{ kind: 'everything' }, {}, true],
    [{ kind: 'apiKey', ...KEY }, {}, true],
    [{ kind: 'apiKey', ...KEY, id: 'key_b' }, {}, false],
    [{ kind: 'organization', id: 'org_a' }, {}, true],
    [{ kind: 'organization', id: 'org_b' }, {}, false],
    [{ kind: 'session', id: 'ses_a' }, SESSION, true],
    [{ kind: 'session', id: 'ses_b' }, SESSION, false],
    [{ kind: 'user', id: 'usr_a' }, SESSION, true],
    [{ kind: 'user', id: 'usr_b' }, SESSION, false],
    [{ kind: 'membership', organizationId: 'org_a', id: 'mem_a' }, SESSION, true],
    [{ kind: 'membership', organizationId: 'org_b', id: 'mem_a' }, SESSION, false],
    [{ kind: 'keptAnswers' }, {}, false],
    [{ kind: 'website', organizationId: 'org_a', id: 'web_a' }, {}, false],
  ];
  for (const [changed, caller, concerned] of messages) {
    const { kind, ...named } = changed;
    it(`of a ${caller.kind ?? 'key'} are ${concerned ? '' : 'not '}judged when a message says ${kind} ${JSON.stringify(named)}`, async () => {
      const opened = hold(caller);
      await turn();
      opened.worth = 'refused';
      bus.publish(changed);
      expect(opened.ends, 'once the caches have heard it').to.deep.equal([]);
      await turn();
      expect(opened.ends).to.deep.equal(concerned ? ['revoked'] : []);
      expect(opened.judged).to.equal(concerned ? 2 : 1);
    });
  }

  const ONE_SITE: Partial<Caller> = { access: { level: 'website', websiteIds: ['web_a'] } };
  const TWO_SITES: Partial<Caller> = { access: { level: 'website', websiteIds: ['web_b', 'web_a'] } };
  const changes: [what: string, before: Partial<Caller>, now: Worth, isLoss: boolean][] = [
    ['loses a scope', { scopes: ['read:data', 'write:links'] }, { scopes: ['write:links'] }, true],
    ['gains a scope', { scopes: ['read:data'] }, { scopes: ['write:links', 'read:data'] }, false],
    ['loses a website', TWO_SITES, ONE_SITE, true],
    ['gains a website', ONE_SITE, TWO_SITES, false],
    ['gains every website', ONE_SITE, {}, false],
    ['is limited to websites', {}, TWO_SITES, true],
    ['gets another role', SESSION, { ...SESSION, role: 'member' }, true],
    ['acts for another organization', SESSION, { ...SESSION, organizationId: 'org_b' }, true],
    ['becomes anonymous', SESSION, { id: 'public', kind: 'public' }, true],
    ['gets another plan', {}, { plan: 'pro' }, false],
    ['is refused', {}, 'refused', true],
  ];
  for (const [what, before, now, isLoss] of changes) {
    it(`${isLoss ? 'end' : 'stay open'} when their caller ${what}`, async () => {
      const [opened, other] = [hold(before), hold({ id: 'key_b' })];
      opened.worth = now;
      bus.publish({ kind: 'everything' });
      await turn();
      expect([opened.ends, other.ends]).to.deep.equal([isLoss ? ['revoked'] : [], []]);
    });
  }

  it('are judged anew after a second without a message, and not before', async () => {
    const opened = hold();
    await turn();
    opened.worth = 'refused';
    clock.advance(999);
    // Another one shows that sweeps have passed.
    const other = hold({ id: 'key_b' });
    other.worth = 'unanswered';
    await eventually(() => other.ends).equals(['unjudged']);
    expect(opened.ends).to.deep.equal([]);
    clock.advance(1);
    await eventually(() => opened.ends).equals(['revoked']);
  });

  for (const worth of ['unknown', 'unanswered'] as const) {
    it(`end when their judgement stays ${worth}, and not while it is known in between`, async () => {
      const opened = hold();
      await turn();
      opened.worth = 'unknown';
      clock.advance(1_000);
      await eventually(() => opened.judged > 2).equals(true);
      opened.worth = {};
      const { judged } = opened;
      await eventually(() => opened.judged > judged).equals(true);
      expect(opened.ends).to.deep.equal([]);
      opened.worth = worth;
      clock.advance(1_000);
      await eventually(() => opened.ends).equals(['unjudged']);
    });
  }

  it('are judged once more when something changes while they are judged', async () => {
    const opened = hold();
    const answers: Next[] = [];
    const [first] = held;
    await turn();
    if (first === undefined) throw new Error('it is held');
    first.leave();
    const runtime = createTestRuntime({} as DocumentStore, clock);
    const req = testRequest(runtime, testEndpoint());
    req.context.principal = knownPrincipal();
    req.context.judge = ({ context }: GatewayRequest, _res: ServerResponse, next: Next) => {
      context.principal = knownPrincipal(answers.length === 0 ? {} : { scopes: [] });
      answers.push(next);
    };
    const leave = standing.add(req, {} as ServerResponse, (reason) => opened.ends.push(reason));
    await turn();
    bus.publish({ kind: 'everything' });
    await turn();
    expect(answers).to.have.length(1);
    answers[0]?.();
    expect(answers, 'the first answer may be from before').to.have.length(2);
    answers[1]?.();
    expect(opened.ends).to.deep.equal(['revoked']);
    leave();
  });

  it('of anonymous callers have nothing to lose, and are not held', () => {
    const runtime = createTestRuntime({} as DocumentStore, clock);
    const req = testRequest(runtime, testEndpoint());
    const refuse = (): never => {
      throw new Error('nobody loses anything');
    };
    req.context.judge = refuse;
    req.context.principal = knownPrincipal({ id: 'public', kind: 'public' });
    standing.add(req, {} as ServerResponse, refuse)();
    req.context.judge = null;
    req.context.principal = knownPrincipal();
    standing.add(req, {} as ServerResponse, refuse);
    expect([standing.callers, bus.listeners]).to.deep.equal([0, 0]);
  });

  it('take no memory once they are closed, and are not judged then', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => hold({ id: `key_${index % 10}` }));
    expect([standing.callers, bus.listeners]).to.deep.equal([10, 1]);
    for (const { leave } of many) {
      leave();
      leave();
    }
    await turn();
    bus.publish({ kind: 'everything' });
    await turn();
    expect(many.every(({ judged, ends }) => judged === 0 && ends.length === 0)).to.equal(true);
  });
});
