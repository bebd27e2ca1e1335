/**
 * Tracking and query processes over one database beside a plain list: they store, repeat, lose their network, die, begin
 * anew, erase, build segments and let documents leave; after each step every query process shows exactly what was
 * acknowledged and not erased.
 */
import { expect } from 'chai';
import type { EventRecord } from '../../../services/shared/model/event-record.ts';
import type { EventSelection } from '../../../services/shared/ports/event-store.ts';
import type { MongodbEventStore } from '../../../services/shared/storage/mongodb/mongodb-event-store.ts';
import { QueryProcesses } from '../columns/query-processes.ts';
import { eventRecord } from '../event-record.ts';
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts';
import { mongodbEvents, type TestEvents } from './mongodb-events.ts';

const ORGANIZATION = 'org_a';
const WEBSITES = ['web_1', 'web_2', null] as const;
const VISITORS = ['anna', 'berta', 'carl', 'dora', null] as const;
const DAY_MS = 86_400_000;

/** How many processes store, and how many answer queries. */
const TRACKERS = 3;
const READERS = 3;

/** Days ago, from and before: what queries ask for after each step. */
const STRETCHES = [
  [100, 0],
  [100, 30],
  [30, 0],
] as const;

/** How often what was not acknowledged is sent again. */
const MOST_TRIES = 20;

/** A process that stores, behind a network of its own. */
interface Tracker {
  store: MongodbEventStore;
  proxy: FaultProxy;
}

type Random = () => number;

/** The same numbers for the same seed: mulberry32. */
function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Takes `steps` random steps over a new database. The seed stands in the message of what fails.
 * @throws AssertionError when a process holds anything but the list
 */
export async function expectModelled(uri: string, seed: number, steps: number): Promise<void> {
  const model = await EventModel.open(uri, seed);
  try {
    for (let step = 0; step < steps; step++) {
      await model.step();
      await model.expectAlike();
    }
  } finally {
    await model.close();
  }
}

class EventModel {
  readonly #events: TestEvents;
  readonly #random: Random;
  readonly #trackers: Tracker[] = [];
  /** Of processes that died: they are closed once the network is back. */
  readonly #dead: Tracker[] = [];
  readonly #now: number;
  /** What is acknowledged and not erased, by its tag. */
  #held = new Map<string, EventRecord>();
  #tags = 0;
  /** The seed and the steps, for a failure's message. */
  readonly #told: string[];
  readonly #queries: QueryProcesses;

  private constructor(events: TestEvents, random: Random, queries: QueryProcesses, seed: number) {
    this.#told = [`seed ${seed}`];
    this.#events = events;
    this.#random = random;
    this.#queries = queries;
    this.#now = events.clock.now();
  }

  static async open(uri: string, seed: number): Promise<EventModel> {
    const events = mongodbEvents(uri);
    await events.open();
    const random = randomOf(seed);
    const partitions = WEBSITES.map((websiteId) => ({ organizationId: ORGANIZATION, websiteId }));
    const { directory } = events;
    const queries = await QueryProcesses.open(READERS, { uri, directory, partitions, random });
    const model = new EventModel(events, random, queries, seed);
    for (let i = 0; i < TRACKERS; i++) model.#trackers.push(await model.#newTracker());
    return model;
  }

  /** Takes one step. */
  async step(): Promise<void> {
    const steps: readonly [string, () => Promise<unknown>][] = [
      ['append', () => this.#appendTogether()],
      ['append', () => this.#appendTogether()],
      ['repeat', () => this.#repeat()],
      ['lose the network', () => this.#loseNetwork()],
      ['die', () => this.#die()],
      ['begin anew', () => this.#beginAnew()],
      ['erase a visitor', () => this.#eraseVisitor()],
      ['erase what is old', () => this.#eraseOld()],
      ...this.#queries.acts,
    ];
    const [name, take] = this.#pick(steps);
    this.#told.push(name);
    await take();
  }

  /** Each query process shows what the list holds; the database has it in documents, but for what may have left. */
  async expectAlike(): Promise<void> {
    const message = this.#told.join(', ');
    const held = [...this.#held.values()];
    // All, and stretches that some steps leave alone.
    for (const [first, last] of STRETCHES) {
      const range = { from: this.#now - first * DAY_MS, to: this.#now - last * DAY_MS };
      const within = held.filter(({ timestamp }) => timestamp >= range.from && timestamp < range.to);
      const wanted = within.map(shownOf).sort();
      for (const found of await this.#queries.answers(ORGANIZATION, range))
        expect(found, message).to.deep.equal(wanted);
    }
    const stored = new Set((await this.#events.stored()).map(textOf));
    const left = held.filter((event) => !stored.has(textOf(event)));
    expect(stored.size + left.length, message).to.equal(held.length);
    expect(
      left.filter(({ timestamp }) => timestamp >= this.#queries.coldBefore),
      message,
    ).to.deep.equal([]);
  }

  async close(): Promise<void> {
    await this.#queries.close();
    for (const { proxy } of [...this.#trackers, ...this.#dead]) await proxy.set('pass');
    await this.#events.remove();
    for (const { proxy } of [...this.#trackers, ...this.#dead]) await proxy.close();
  }

  /** Several processes at once, each in a few appends; a half of the events are late by days. */
  async #appendTogether(): Promise<void> {
    await Promise.all(
      this.#trackers.flatMap(({ store }) =>
        Array.from({ length: this.#upTo(3) }, () => this.#store(store, this.#newEvents(this.#upTo(40)))),
      ),
    );
  }

  /** Sends known ids again, together with new events. */
  async #repeat(): Promise<void> {
    const { store } = this.#pick(this.#trackers);
    const known = [...this.#held.values()].filter(({ event_id }) => event_id !== null);
    const again = known.filter(() => this.#random() < 0.2).slice(0, 30);
    const outcome = await store.append(this.#noted(again, this.#newEvents(3)));
    expect(outcome.repeats.length, this.#told.join(', ')).to.equal(again.length);
  }

  /** Connections end in the middle of appends. What fails is sent again, by another process. */
  async #loseNetwork(): Promise<void> {
    const tracker = this.#pick(this.#trackers);
    const other = this.#pick(this.#trackers);
    const sent = this.#newEvents(30, true);
    const storing = tracker.store.append(sent);
    await this.#pause();
    tracker.proxy.cut();
    await storing.catch(() => this.#store(other.store, sent));
    this.#noted(sent);
  }

  /** A process dies in the middle of an append; somebody else gets the same events again. */
  async #die(): Promise<void> {
    const index = this.#upTo(TRACKERS) - 1;
    const tracker = this.#trackers[index];
    if (tracker === undefined) throw new Error('there are so many');
    const sent = this.#newEvents(30, true);
    const storing = tracker.store.append(sent).catch(() => undefined);
    await this.#pause();
    await tracker.proxy.set('refuse');
    this.#dead.push(tracker);
    this.#trackers[index] = await this.#newTracker();
    await this.#store(this.#pick(this.#trackers).store, sent);
    this.#noted(sent);
    void storing;
  }

  async #beginAnew(): Promise<void> {
    const index = this.#upTo(TRACKERS) - 1;
    const tracker = this.#trackers[index];
    await tracker?.store.close();
    this.#trackers[index] = await this.#newTracker();
    await tracker?.proxy.close();
  }

  async #eraseVisitor(): Promise<void> {
    const websiteId = this.#pick(WEBSITES);
    const anonymousId = this.#pick(VISITORS.filter((visitor) => visitor !== null));
    await this.#erase({ organizationId: ORGANIZATION, websiteId, anonymousId }, (event) => {
      return event.anonymous_id === anonymousId && (websiteId === null || event.website_id === websiteId);
    });
  }

  async #eraseOld(): Promise<void> {
    const before = this.#now - this.#upTo(60) * DAY_MS;
    await this.#erase(
      { organizationId: ORGANIZATION, websiteId: null, anonymousId: null, before },
      ({ timestamp }) => timestamp < before,
    );
  }

  async #erase(selection: EventSelection, isMeant: (event: EventRecord) => boolean): Promise<void> {
    const gone = [...this.#held].filter(([, event]) => isMeant(event));
    const erased = await this.#pick(this.#trackers).store.erase(selection);
    const told = this.#told.join();
    expect(erased, told).to.be.at.most(gone.length);
    // A builder that dies while documents leave has removed some, which nobody counts.
    if (!told.includes('kill')) expect(erased, told).to.equal(gone.length);
    for (const [tag] of gone) this.#held.delete(tag);
  }

  /** Sends them until they are acknowledged. */
  async #store(store: MongodbEventStore, events: readonly EventRecord[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      const fault = await store.append(events).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (fault === null) break;
      if (tries === MOST_TRIES || events.some(({ event_id }) => event_id === null)) throw fault;
    }
    this.#noted(events);
  }

  /** Puts them in the list. */
  #noted(...lists: readonly (readonly EventRecord[])[]): EventRecord[] {
    const events = lists.flat();
    for (const event of events) this.#held.set(String(event.title), event);
    return events;
  }

  #newEvents(count: number, withId = false): EventRecord[] {
    return Array.from({ length: count }, () => {
      const tag = `t${this.#tags++}`;
      const lateDays = this.#random() < 0.5 ? 0 : this.#upTo(90);
      return eventRecord({
        organization_id: ORGANIZATION,
        website_id: this.#pick(WEBSITES),
        anonymous_id: this.#pick(VISITORS),
        title: tag,
        path: `/${this.#upTo(5)}`,
        event_id: withId || this.#random() < 0.5 ? tag : null,
        timestamp: this.#now - lateDays * DAY_MS - this.#upTo(DAY_MS),
      });
    });
  }

  async #newTracker(): Promise<Tracker> {
    const uri = new URL(this.#events.uri);
    const proxy = await startFaultProxy(Number(uri.port));
    uri.port = String(proxy.port);
    const store = await this.#events.openAnother({ segments: this.#queries }, uri.href);
    return { store, proxy };
  }

  /** A moment within which an append is somewhere under way. */
  #pause(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#upTo(30) - 1));
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  /** A whole number from 1 to `most`. */
  #upTo(most: number): number {
    return 1 + Math.floor(this.#random() * most);
  }
}

/** What query processes show of an event. */
function shownOf({ title, event_id, website_id, anonymous_id, path, timestamp }: EventRecord): string {
  return JSON.stringify([title, event_id, website_id, anonymous_id, path, timestamp].map(String));
}

/** Without what is absent. */
function textOf(event: EventRecord): string {
  return JSON.stringify(
    Object.entries(event)
      .filter(([, value]) => value !== null)
      .sort(),
  );
}
