/** Light load of one caller for each kind of route, whose every answer is judged: right, a declared error, or wrong. */
import { setTimeout as pause } from 'node:timers/promises';
import { expectErrorBody } from '../answers.ts';
import type { Answer } from '../start-tidegate.ts';
import { until } from '../until.ts';

/** What a caller asks again and again. */
export interface Probe {
  readonly name: string;
  ask(): Promise<Answer>;
  /** Of an answer without a declared error. @throws AssertionError when it is wrong */
  expectRight(answer: Answer): void;
}

/** What came of a probe since it was last looked at. */
interface Outcomes {
  right: number;
  declared: number;
  /** Wrong answers, as text. */
  readonly wrong: string[];
  longestMs: number;
  /** Right answers, the latest ones in a row, to what was asked since then. */
  rightInRow: number;
  /** When the latest answer that was not right came. */
  failedAt: number;
}

export interface Judged {
  readonly right: number;
  readonly declared: number;
  readonly wrong: readonly string[];
  /** Of all answers, in milliseconds. */
  readonly longestMs: number;
  /** Probes of which at least one answer was a declared error. */
  readonly failing: readonly string[];
}

/** Codes of the errors that a caller may be told while a database is in trouble, by status (contract.md section 2). */
const DECLARED: Readonly<Record<number, string>> = { 503: 'UPSTREAM_UNAVAILABLE', 504: 'TIMEOUT' };

const PAUSE_MS = 100;

/** Probes that run until they are ended, each one request after the other. */
export class FaultLoad {
  readonly #probes: readonly Probe[];
  readonly #outcomes = new Map<Probe, Outcomes>();
  #running: Promise<unknown> | null = null;
  #since = 0;
  #isHeld = false;
  #isEnding = false;

  constructor(probes: readonly Probe[]) {
    this.#probes = probes;
  }

  start(): void {
    this.begin();
    this.#running = Promise.all(this.#probes.map((probe) => this.#repeat(probe)));
  }

  /** Forgets what came so far; what is asked from now on counts. */
  begin(): void {
    this.#since = performance.now();
    for (const probe of this.#probes) {
      this.#outcomes.set(probe, {
        ...{ right: 0, declared: 0, wrong: [], longestMs: 0, rightInRow: 0, failedAt: this.#since },
      });
    }
  }

  /** Asks nothing new while `action` runs; afterwards all that came is forgotten. */
  async heldDuring(action: () => Promise<void>): Promise<void> {
    this.#isHeld = true;
    await action();
    this.begin();
    this.#isHeld = false;
  }

  /** Waits until each probe had an answer to what was asked since `begin`. */
  async everyAnswered(): Promise<void> {
    await until('every probe is answered', () =>
      [...this.#outcomes.values()].every(({ right, declared, wrong }) => right + declared + wrong.length > 0),
    );
  }

  /** Waits until each probe was answered rightly thrice in a row; milliseconds from `begin` to the last answer that was not. */
  async recovered(): Promise<number> {
    const others = () => [...this.#outcomes].filter(([, { rightInRow }]) => rightInRow < 3);
    await until('every probe is answered rightly', () => others().length === 0).catch((fault: Error) => {
      const told = others().map(([{ name }, outcomes]) => ({ name, ...outcomes }));
      throw new Error(`${fault.message}, but not ${JSON.stringify(told)}`);
    });
    return Math.max(...[...this.#outcomes.values()].map(({ failedAt }) => failedAt)) - this.#since;
  }

  judged(): Judged {
    const all = [...this.#outcomes.entries()];
    return {
      right: all.reduce((sum, [, { right }]) => sum + right, 0),
      declared: all.reduce((sum, [, { declared }]) => sum + declared, 0),
      wrong: all.flatMap(([{ name }, { wrong }]) => wrong.map((text) => `${name}: ${text}`)),
      longestMs: Math.round(Math.max(...all.map(([, { longestMs }]) => longestMs))),
      failing: all.filter(([, { declared }]) => declared > 0).map(([{ name }]) => name),
    };
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
  }

  async #repeat(probe: Probe): Promise<void> {
    while (!this.#isEnding) {
      if (this.#isHeld) {
        await pause(PAUSE_MS);
        continue;
      }
      const began = performance.now();
      const verdict = await judge(probe);
      const tookMs = performance.now() - began;
      // What was asked before belongs to the time before, save that nobody may wait for long or hear wrong things.
      const outcomes = this.#outcomes.get(probe) as Outcomes;
      outcomes.longestMs = Math.max(outcomes.longestMs, tookMs);
      if (verdict !== 'right' && verdict !== 'declared') outcomes.wrong.push(verdict);
      if (began >= this.#since) {
        if (verdict === 'right') outcomes.right++;
        if (verdict === 'declared') outcomes.declared++;
        outcomes.rightInRow = verdict === 'right' ? outcomes.rightInRow + 1 : 0;
      }
      if (verdict !== 'right') outcomes.failedAt = performance.now();
      await pause(PAUSE_MS);
    }
  }
}

/** `right`, `declared`, or what is wrong. */
async function judge(probe: Probe): Promise<string> {
  try {
    const answer = await probe.ask();
    const code = DECLARED[answer.status];
    if (code === undefined) {
      probe.expectRight(answer);
      return 'right';
    }
    expectErrorBody(answer, answer.status, code);
    if (answer.status === 503 && !/^[1-9]\d*$/.test(answer.headers.get('retry-after') ?? '')) {
      return 'a 503 without Retry-After';
    }
    return 'declared';
  } catch (fault) {
    return String(fault);
  }
}
