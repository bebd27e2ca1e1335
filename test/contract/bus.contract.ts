/** What every bus guarantees, run on every adapter. */
import { expect } from 'chai';
import type { Bus, Invalidation } from '../../services/shared/ports/bus.ts';

/** Two ends of one bus: the same object where there is one process only. */
export interface BusFixture {
  readonly here: Bus;
  readonly there: Bus;
  close(): Promise<void>;
}

const KEY: Invalidation = { kind: 'apiKey', organizationId: 'org_a', id: 'key_1', keyHash: 'aa' };
const ALL: readonly Invalidation[] = [
  KEY,
  { kind: 'apiKey', organizationId: 'org_a', id: 'key_1', keyHash: null },
  { kind: 'organization', id: 'org_a' },
  { kind: 'user', id: 'usr_1' },
  { kind: 'membership', organizationId: 'org_a', id: 'mem_1' },
  { kind: 'session', id: 'ses_1' },
  { kind: 'everything' },
  { kind: 'keptAnswers' },
];

/** What arrives at a bus, and a wait for the next of it. */
export function record(bus: Pick<Bus, 'subscribe'>): {
  readonly heard: Invalidation[];
  until(count: number): Promise<void>;
} {
  const heard: Invalidation[] = [];
  let wake = (): void => {};
  bus.subscribe((invalidation) => {
    heard.push(invalidation);
    wake();
  });
  return {
    heard,
    async until(count) {
      while (heard.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** Declares the contract's tests for the adapter `name`. */
export function busContract(name: string, create: () => Promise<BusFixture>): void {
  describe(`${name} keeps the contract of Bus`, () => {
    let fixture: BusFixture;

    beforeEach(async () => {
      fixture = await create();
    });
    afterEach(() => fixture.close());

    it('tells a listener of its own process before publish returns, once', () => {
      const { heard } = record(fixture.here);
      fixture.here.publish(KEY);
      expect(heard).to.deep.equal([KEY]);
    });

    it('brings every kind to the other end, whole and in order', async () => {
      const there = record(fixture.there);
      for (const invalidation of ALL) fixture.here.publish(invalidation);
      await there.until(ALL.length);
      expect(there.heard).to.deep.equal(ALL);
    });

    it('tells every listener, and none that left', async () => {
      const first = record(fixture.there);
      const second = record(fixture.there);
      const left: Invalidation[] = [];
      const leave = fixture.there.subscribe((invalidation) => left.push(invalidation));
      leave();
      fixture.here.publish(KEY);
      await Promise.all([first.until(1), second.until(1)]);
      expect([first.heard, second.heard, left]).to.deep.equal([[KEY], [KEY], []]);
    });

    it('is silent after close, and publishing is harmless then', async () => {
      const { heard } = record(fixture.here);
      await fixture.here.close();
      fixture.here.publish(KEY);
      expect(heard).to.deep.equal([]);
    });
  });
}
