/** Turns of custom queries: one of an organization, two on the machine, five that wait, and no longer than their time. */
import { expect } from 'chai';
import { type TurnClock, Turns } from '../../../../services/query/custom/turns.ts';
import { rejection } from '../../../support/rejection.ts';

const LIMITS = { running: 2, waitingPerOrganization: 5, maxWaitMs: 60_000 };
const asked: AbortController[] = [];
const never = () => {
  const controller = new AbortController();
  asked.push(controller);
  return controller;
};
/** Lets what is already settled be seen. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
/** Reads the time from the test; what is done later waits for the machine's. */
const clockAt = (now: () => number): TurnClock => ({
  now,
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
});

describe('the turns of custom queries', () => {
  // Who waits at the end of a test leaves.
  afterEach(() => {
    for (const controller of asked.splice(0)) controller.abort();
  });

  it('let one query of an organization run, and two in all', async () => {
    const turns = new Turns(LIMITS);
    const started: string[] = [];
    const take = (id: string) =>
      turns.take(id, never()).then((end) => {
        started.push(id);
        return end;
      });
    const a = take('a');
    take('a').catch(() => undefined);
    const b = take('b');
    take('c').catch(() => undefined);
    await settled();
    expect(started).to.deep.equal(['a', 'b']);
    (await b)();
    await settled();
    expect(started).to.deep.equal(['a', 'b', 'c']);
    (await a)();
    await settled();
    expect(started).to.deep.equal(['a', 'b', 'c', 'a']);
  });

  it('send the sixth that would wait away with 503 and Retry-After, and only those of its organization', async () => {
    const turns = new Turns(LIMITS);
    await turns.take('a', never());
    for (let i = 0; i < 5; i++) turns.take('a', never()).catch(() => undefined);
    const fault = await rejection(turns.take('a', never()));
    expect(fault).to.include({ kind: 'SERVICE_UNAVAILABLE', status: 503 });
    expect(fault).to.have.nested.property('headers.Retry-After');
    await turns.take('b', never());
  });

  it('send one that waits too long away with 503', async () => {
    const turns = new Turns({ ...LIMITS, maxWaitMs: 1 });
    await turns.take('a', never());
    expect(await rejection(turns.take('a', never()))).to.include({ status: 503 });
  });

  it('forget one that leaves while it waits', async () => {
    const turns = new Turns(LIMITS);
    const end = await turns.take('a', never());
    const leaving = new AbortController();
    const left = turns.take('a', leaving);
    const next = turns.take('a', never());
    leaving.abort(new Error('left'));
    expect(await rejection(left)).to.have.property('message', 'left');
    end();
    (await next)();
  });

  it('end once, however often they are ended', async () => {
    const turns = new Turns(LIMITS);
    const end = await turns.take('a', never());
    const second = turns.take('a', never());
    end();
    end();
    await second;
    let hasStarted = false;
    turns.take('a', never()).then(
      () => {
        hasStarted = true;
      },
      () => undefined,
    );
    await settled();
    expect(hasStarted).to.equal(false);
  });

  describe('go by the time used lately:', () => {
    let nowMs = 0;
    let turns: Turns;
    beforeEach(() => {
      nowMs = 1_000_000;
      turns = new Turns(
        { running: 2, waitingPerOrganization: 5, maxWaitMs: 60_000 },
        clockAt(() => nowMs),
      );
    });
    /** A query of the organization that runs for so long. */
    async function use(id: string, milliseconds: number): Promise<void> {
      const end = await turns.take(id, never());
      turns.began(id);
      nowMs += milliseconds;
      end();
    }
    /** Takes turns for these, in their order, and tells in which they start. */
    function queue(...ids: string[]): { readonly started: string[]; readonly ends: Map<string, () => void> } {
      const queued = { started: [] as string[], ends: new Map<string, () => void>() };
      for (const id of ids) {
        const started = turns.take(id, never()).then((end) => {
          queued.started.push(id);
          queued.ends.set(id, end);
        });
        started.catch(() => undefined);
      }
      return queued;
    }

    it('the next turn is for who used least, whoever came first', async () => {
      await use('much', 9_000);
      await use('some', 4_000);
      const [a, b] = [await turns.take('a', never()), await turns.take('b', never())];
      const { started, ends } = queue('much', 'some', 'none');
      a();
      await settled();
      expect(started).to.deep.equal(['none']);
      ends.get('none')?.();
      b();
      await settled();
      expect(started).to.deep.equal(['none', 'some', 'much']);
    });

    it('half is forgotten in two minutes, and what runs counts already', async () => {
      await use('old', 1_900);
      await use('new', 1_000);
      nowMs += 120_000;
      await use('new', 500);
      const [a, b] = [await turns.take('a', never()), await turns.take('b', never())];
      const { started } = queue('new', 'old');
      a();
      await settled();
      expect(started).to.deep.equal(['old']);
      b();
    });

    it('who asked long queries leaves one turn to others', async () => {
      await use('heavy', 11_000);
      await use('heavier', 12_000);
      const end = await turns.take('heavy', never());
      const { started, ends } = queue('heavier', 'light');
      await settled();
      expect(started).to.deep.equal(['light']);
      ends.get('light')?.();
      await settled();
      expect(started).to.deep.equal(['light']);
      end();
      await settled();
      expect(started).to.deep.equal(['light', 'heavier']);
    });

    it('no number of short queries makes heavy, but one long query does while it runs', async () => {
      for (let i = 0; i < 100; i++) await use('slowed', 1_500);
      expect(turns.isHeavy('slowed')).to.equal(false);
      await turns.take('long', never());
      nowMs += 60_000;
      expect(turns.isHeavy('long')).to.equal(false);
      turns.began('long');
      nowMs += 4_001;
      expect(turns.isHeavy('long')).to.equal(true);
    });

    it('a heavy organization is forgotten in minutes, and not while it waits for more', async () => {
      await use('heavy', 300_000);
      await use('gone', 300_000);
      const ends = [await turns.take('a', never()), await turns.take('b', never())];
      const { started } = queue('heavy');
      nowMs += 900_000;
      expect([turns.isHeavy('heavy'), turns.isHeavy('gone')]).to.deep.equal([true, false]);
      for (const end of ends) end();
      await settled();
      expect(started).to.deep.equal(['heavy']);
    });

    it('who used much runs alone at once, and where one turn is all there is', async () => {
      await use('heavy', 20_000);
      (await turns.take('heavy', never()))();
      turns = new Turns(
        { running: 1, waitingPerOrganization: 5, maxWaitMs: 60_000 },
        clockAt(() => nowMs),
      );
      await use('heavy', 20_000);
      await use('heavy', 20_000);
    });
  });

  describe('ask the one that used most to end', () => {
    /** Half of the wait is the patience here, so that no test waits for five seconds. */
    const IMPATIENT = { running: 2, waitingPerOrganization: 5, maxWaitMs: 200 };

    it('with a TIMEOUT that says why, when another one has waited for long', async () => {
      let nowMs = 0;
      const turns = new Turns(
        IMPATIENT,
        clockAt(() => nowMs),
      );
      const [longer, shorter] = [never(), never()];
      const end = await turns.take('longer', longer);
      turns.began('longer');
      longer.signal.addEventListener('abort', () => end());
      nowMs += 3_000;
      await turns.take('shorter', shorter);
      turns.began('shorter');
      nowMs += 6_000;
      await turns.take('waiting', never());
      expect(shorter.signal.aborted).to.equal(false);
      expect(longer.signal.reason).to.include({ kind: 'TIMEOUT', status: 504 });
      expect(longer.signal.reason.message).to.match(
        /^The query was ended after 9 s: another organization waited/,
      );
    });

    it('but no short query, nobody whose process only starts, and nobody who used hardly more than the one that waits', async () => {
      let nowMs = 0;
      const turns = new Turns(
        { ...IMPATIENT, running: 3 },
        clockAt(() => nowMs),
      );
      const use = async (id: string, milliseconds: number) => {
        const end = await turns.take(id, never());
        turns.began(id);
        nowMs += milliseconds;
        end();
      };
      await use('waiting', 6_000);
      await use('short', 9_500);
      const queries = { alike: never(), starting: never(), short: never() };
      await turns.take('alike', queries.alike);
      turns.began('alike');
      await turns.take('starting', queries.starting);
      nowMs += 3_000;
      await turns.take('short', queries.short);
      turns.began('short');
      nowMs += 4_500;
      expect(await rejection(turns.take('waiting', never()))).to.include({ status: 503 });
      expect(Object.values(queries).map(({ signal }) => signal.aborted)).to.deep.equal([false, false, false]);
    });
  });
});
