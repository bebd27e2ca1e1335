/** Turns of custom queries on a clock of their own: whatever the number of attackers, those who ask little hardly wait. */
import { expect } from 'chai';
import { type TurnClock, Turns } from '../../../../services/query/custom/turns.ts';

/** As shipped. */
const LIMITS = { running: 2, waitingPerOrganization: 5, maxWaitMs: 10_000 };
const TIMEOUT_MS = 30_000;
/** A process starts. */
const START_MS = 300;

/** Lets what is already settled be seen: a tick comes after all promises. */
const settled = () => new Promise<void>((resolve) => process.nextTick(resolve));

interface Timer {
  readonly atMs: number;
  readonly act: () => void;
}

/** Time that passes only from one thing that is due to the next. */
class SimulatedClock implements TurnClock {
  #nowMs = 0;
  /** Sorted; of equals the one that was set first. */
  readonly #timers: Timer[] = [];

  now(): number {
    return this.#nowMs;
  }

  after(milliseconds: number, act: () => void): () => void {
    const timer = { atMs: this.#nowMs + milliseconds, act };
    const before = this.#timers.findIndex(({ atMs }) => atMs > timer.atMs);
    this.#timers.splice(before === -1 ? this.#timers.length : before, 0, timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index !== -1) this.#timers.splice(index, 1);
    };
  }

  passes(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, resolve));
  }

  async runUntil(endMs: number): Promise<void> {
    // A hundred thousand queries are refused, and nobody reads where.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      await settled();
      for (let next = this.#timers[0]; next !== undefined && next.atMs <= endMs; next = this.#timers[0]) {
        this.#timers.shift();
        this.#nowMs = next.atMs;
        next.act();
        await settled();
      }
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
    this.#nowMs = endMs;
  }
}

/** How one query of somebody who asks little fared. */
interface Asked {
  readonly atMs: number;
  readonly waitedMs: number;
  readonly isAnswered: boolean;
}

/** A machine with its turns, on which queries take as long as they say. */
class Machine {
  readonly clock = new SimulatedClock();
  readonly turns = new Turns(LIMITS, this.clock);
  readonly asked: Asked[] = [];

  async #run(organizationId: string, milliseconds: number): Promise<number> {
    const ended = new AbortController();
    const cameMs = this.clock.now();
    const end = await this.turns.take(organizationId, ended);
    const waitedMs = this.clock.now() - cameMs;
    await this.clock.passes(START_MS);
    this.turns.began(organizationId);
    await new Promise<void>((resolve) => {
      const over = this.clock.after(Math.min(milliseconds, TIMEOUT_MS), resolve);
      ended.signal.addEventListener('abort', () => {
        over();
        resolve();
      });
    });
    end();
    ended.signal.throwIfAborted();
    return waitedMs;
  }

  /** Six queries of an organization at a time, without end or as long as said, each sent again as soon as it is answered. */
  attack(organizationId: string, milliseconds = Number.POSITIVE_INFINITY): void {
    const again = async (): Promise<void> => {
      await this.#run(organizationId, milliseconds).catch(() => undefined);
      await this.clock.passes(100);
      void again();
    };
    for (let caller = 0; caller < 6; caller++) void again();
  }

  /** A query of so many milliseconds every so many milliseconds. */
  ask(organizationId: string, milliseconds: number, everyMs: number): void {
    const again = () => {
      this.clock.after(everyMs, again);
      const atMs = this.clock.now();
      this.#run(organizationId, milliseconds).then(
        (waitedMs) => this.asked.push({ atMs, waitedMs, isAnswered: true }),
        () => this.asked.push({ atMs, waitedMs: this.clock.now() - atMs, isAnswered: false }),
      );
    };
    again();
  }

  longestWaitMs(sinceMs: number): number {
    return Math.max(...this.asked.filter(({ atMs }) => atMs >= sinceMs).map(({ waitedMs }) => waitedMs));
  }
}

describe('custom SQL under attack, simulated', () => {
  for (const attackers of [1, 2, 3, 8]) {
    it(`${attackers} that ask without end: once known, none keeps one that asks little waiting, for half an hour`, async () => {
      const machine = new Machine();
      for (let index = 0; index < attackers; index++) machine.attack(`attacker${index}`);
      await machine.clock.runUntil(120_000);
      machine.ask('victim', 100, 2_000);
      await machine.clock.runUntil(1_800_000);
      expect(machine.asked.filter(({ isAnswered }) => !isAnswered)).to.deep.equal([]);
      expect(machine.asked).to.have.length.greaterThan(800);
      expect(machine.longestWaitMs(0)).to.equal(0);
    });
  }

  it('two whose queries are short and never stop, or one of each kind, keep it waiting no longer than a short one takes', async () => {
    for (const { lengths, longestMs } of [
      { lengths: [1_900, 1_900], longestMs: START_MS + 1_900 },
      { lengths: [1_900, Number.POSITIVE_INFINITY], longestMs: START_MS + 1_900 },
    ]) {
      const machine = new Machine();
      for (const [index, length] of lengths.entries()) machine.attack(`attacker${index}`, length);
      await machine.clock.runUntil(120_000);
      machine.ask('victim', 100, 2_000);
      await machine.clock.runUntil(1_200_000);
      expect(machine.asked.filter(({ isAnswered }) => !isAnswered)).to.deep.equal([]);
      expect(machine.longestWaitMs(0)).to.be.at.most(longestMs);
    }
  });

  it('who is made slower tenfold is kept waiting no longer, and waits for others who ask little alone', async () => {
    const machine = new Machine();
    for (const name of ['attacker0', 'attacker1']) machine.attack(name);
    await machine.clock.runUntil(60_000);
    for (const [name, everyMs] of Object.entries({ a: 3_700, b: 4_100, c: 4_300 })) {
      machine.ask(name, 1_000, everyMs);
    }
    await machine.clock.runUntil(1_200_000);
    expect(machine.asked.filter(({ isAnswered }) => !isAnswered)).to.deep.equal([]);
    expect(machine.longestWaitMs(0)).to.be.at.most(3 * (START_MS + 1_000));
  });

  it('while two are new, who asks little waits five seconds once', async () => {
    const machine = new Machine();
    // What somebody used before, without anything long, is not held against it.
    machine.ask('victim', 1_500, 4_000);
    await machine.clock.runUntil(601_900);
    for (const name of ['attacker0', 'attacker1']) machine.attack(name);
    await machine.clock.runUntil(1_200_000);
    expect(machine.asked.filter(({ isAnswered }) => !isAnswered)).to.deep.equal([]);
    expect(machine.longestWaitMs(601_900)).to.be.within(4_000, 6_000);
    const waited = machine.asked.filter(({ atMs, waitedMs }) => atMs >= 601_900 && waitedMs > 1_500);
    expect(waited).to.have.length.at.most(2);
  });
});
