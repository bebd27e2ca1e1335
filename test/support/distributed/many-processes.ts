/**
 * What must hold of many processes under steady load, while one of them, Redis or the database is killed and started
 * again, and while all of them are replaced in order.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { EVENT_COLLECTION } from '../../../services/shared/storage/mongodb/event-document.ts';
import { requireMongodb } from '../mongodb/mongodb-server.ts';
import { withDatabase } from '../mongodb/with-database.ts';
import { requireRedis } from '../redis-server.ts';
import { until } from '../until.ts';
import { type Fleet, type Member, startFleet } from './start-fleet.ts';
import { LOADED_PROVISIONING, type Outcome, type SteadyLoad, startLoad } from './steady-load.ts';

/** How long what was killed stays away, in milliseconds. */
const AWAY_MS = 1_500;
/** How long no request may fail until a fault counts as over, in milliseconds: longer than all waits that end in a failure late. */
const QUIET_MS = 3_000;
/** What no request takes longer than: the timeout of the routes that the load asks, in milliseconds (config/gateway.config.yml). */
const LONGEST_MS = 35_000;

export interface ManyProcessesOptions {
  /** How often everything is killed, and replaced. */
  readonly rounds: number;
  /** Requests each second. */
  readonly perSecond: number;
  /** From what time after the recovery on no request that begins fails, in milliseconds. */
  readonly recoveredWithinMs: number;
  /** Whether a rolling restart replaces one process of each kind at a time, or one of all. */
  readonly oneOf: 'each kind' | 'all';
}

interface Fault {
  readonly name: string;
  strike(fleet: Fleet): Promise<unknown>;
  mend(fleet: Fleet): Promise<unknown>;
  /** Whether connections of clients break, since what they are connected to is killed. */
  readonly breaks?: boolean;
}

/** A process of the kind, another one each round. */
const killing = (kind: Member['kind'], round: number): Fault => {
  const memberOf = ({ members }: Fleet): Member => {
    const all = members.filter((member) => member.kind === kind);
    return all[round % all.length] as Member;
  };
  return {
    name: `kill -9 of a ${kind} process`,
    strike: (fleet) => memberOf(fleet).end('SIGKILL'),
    mend: (fleet) => memberOf(fleet).start(),
    breaks: kind === 'gateway',
  };
};

const faultsOf = (round: number): readonly Fault[] => [
  killing('gateway', round),
  killing('query', round),
  killing('tracking', round),
  killing('resources', round),
  { name: 'a restart of Redis', strike: ({ redis }) => redis.kill(), mend: ({ redis }) => redis.start() },
  {
    name: 'kill -9 and start of the database',
    strike: ({ mongodb }) => mongodb.kill(),
    mend: ({ mongodb }) => mongodb.start(),
  },
];

/** Declares the suite. */
export function describeManyProcesses(options: ManyProcessesOptions): void {
  const { rounds, perSecond, recoveredWithinMs, oneOf } = options;

  describe(`four gateways and two of each service under ${perSecond} requests/s`, function () {
    this.timeout(300_000);
    let fleet: Fleet;
    let load: SteadyLoad;

    before(async function () {
      requireRedis(this);
      requireMongodb(this);
      fleet = await startFleet(LOADED_PROVISIONING);
      load = startLoad(fleet.balancer, perSecond);
      await until('the load runs', () => load.outcomes.filter(succeeded).length > perSecond);
    });
    after(async () => {
      await fleet?.close();
    });

    /** No request that began before now is under way, and for a while none failed. */
    async function calm(): Promise<void> {
      const nowMs = performance.now();
      await until('no request fails', () => {
        const quietSinceMs = performance.now() - QUIET_MS;
        const isQuiet =
          quietSinceMs > nowMs && !load.outcomes.some((each) => failedSince(each, quietSinceMs));
        return isQuiet && !load.waitsSince(nowMs);
      });
    }

    for (let round = 0; round < rounds; round++) {
      for (const fault of faultsOf(round)) {
        it(`answer every request, and soon without errors again: ${fault.name}, round ${round + 1}`, async function () {
          if (fleet.mongodb.kind === 'given' && fault.name.includes('database')) this.skip();
          const struckMs = performance.now();
          await fault.strike(fleet);
          await delay(AWAY_MS);
          await fault.mend(fleet);
          const mendedMs = performance.now();
          await calm();
          const during = load.outcomes.filter(({ endedMs }) => endedMs >= struckMs);
          const { failed, recoveredMs, longestMs } = tell(during, mendedMs);
          const undeclared = failed.filter(
            (each) => !(each.isDeclared || (fault.breaks && each.status === null)),
          );
          expect(undeclared, 'failures that are no declared error').to.deep.equal([]);
          expect(longestMs, 'the longest request').to.be.below(LONGEST_MS);
          expect(recoveredMs, 'how long requests failed after the recovery').to.be.below(recoveredWithinMs);
        });
      }

      it(`fail no request while all processes are replaced, one of ${oneOf} at a time, round ${round + 1}`, async () => {
        const begunMs = performance.now();
        await rollingRestart(fleet.members, oneOf);
        await calm();
        const during = load.outcomes.filter(({ endedMs }) => endedMs >= begunMs);
        const { failed } = tell(during, performance.now());
        expect(failed, 'failed requests').to.deep.equal([]);
      });
    }

    it('keep every event exactly once', async () => {
      await load.stop();
      expect(load.acknowledged.size).to.equal(load.sent.size);
      const stored = await storedIds(fleet.mongodbUri);
      const once = new Set(stored);
      const lost = [...load.acknowledged].filter((id) => !once.has(id));
      expect(lost, 'acknowledged and lost').to.deep.equal([]);
      expect(stored.length, 'events, of which none is stored more than once').to.equal(once.size);
      expect(stored.length).to.equal(load.sent.size);
      expect(await load.countByQuery()).to.equal(load.sent.size);
      const again = load.outcomes.filter(
        ({ activity, fault }) => activity === 'track' && fault !== null,
      ).length;
      write(`${stored.length} events, of which ${again} sendings failed and were repeated: each stored once`);
    });
  });
}

const succeeded = ({ fault }: Outcome): boolean => fault === null;
const failedSince = ({ fault, endedMs }: Outcome, sinceMs: number): boolean =>
  fault !== null && endedMs >= sinceMs;

interface Told {
  readonly failed: readonly Outcome[];
  /** From the recovery to the begin of the last request that failed, in milliseconds; 0 when none began later. */
  readonly recoveredMs: number;
  readonly longestMs: number;
}

/** The figures, which are printed too. */
function tell(outcomes: readonly Outcome[], mendedMs: number): Told {
  const failed = outcomes.filter((each) => !succeeded(each));
  const longestMs = Math.max(0, ...outcomes.map(({ startedMs, endedMs }) => endedMs - startedMs));
  const recoveredMs = Math.max(0, ...failed.map(({ startedMs }) => startedMs - mendedMs));
  const lastEndMs = Math.max(0, ...failed.map(({ endedMs }) => endedMs - mendedMs));
  const kinds = new Map<string, number>();
  for (const { activity, fault, status } of failed) {
    const kind = `${activity} ${status === null ? 'broken' : fault}`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const shown = [...kinds].map(([kind, count]) => `${count} × ${kind}`).join(', ');
  write(
    `${failed.length} of ${outcomes.length} failed${shown && ` (${shown})`}, longest ${seconds(longestMs)}; the last that failed began ${seconds(recoveredMs)} and ended ${seconds(lastEndMs)} after the recovery`,
  );
  return { failed, recoveredMs, longestMs };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function write(text: string): void {
  process.stdout.write(`      ${text}\n`);
}

/** Replaces every process: ended by SIGTERM, then started until it is ready. */
async function rollingRestart(
  members: readonly Member[],
  oneOf: ManyProcessesOptions['oneOf'],
): Promise<void> {
  const kinds = [...new Set(members.map(({ kind }) => kind))];
  const lanes =
    oneOf === 'all' ? [members] : kinds.map((kind) => members.filter((each) => each.kind === kind));
  await Promise.all(
    lanes.map(async (lane) => {
      for (const member of lane) {
        expect(await member.end('SIGTERM'), `exit code of ${member.name}`).to.equal(0);
        await member.start();
        await member.ready();
      }
    }),
  );
}

/** `event_id` of every stored event. */
function storedIds(uri: string): Promise<string[]> {
  return withDatabase(uri, async (connection) => {
    const events = await connection.collection(EVENT_COLLECTION).find({}).toArray();
    return events.map(({ event_id }) => String(event_id));
  });
}
