/**
 * Asks a server for what the stores rely on, since one may speak MongoDB's protocol and differ where it matters: a unique index
 * that is not kept, or an update that is not atomic, would lose or double what was acknowledged.
 */
import { randomUUID } from 'node:crypto';
import type { Connection, mongo } from 'mongoose';
import { answeredWithin, majorityWithin } from './answered-within.ts';
import { isDuplicate } from './document-access.ts';
import { isOutage } from './outage.ts';
import { violatedIndex } from './violated-index.ts';

/** Empty except while a server is asked. */
export const PROBE_COLLECTION = 'tidegate_probe';

const COMMAND_MS = 10_000;
/** What a process that was killed left goes after this many seconds, by the server; no two clocks differ by that. */
const LEFT_SECONDS = 86_400;
const UNIQUE = { value: ['probe', 'value'], sparse: ['probe', 'rare'] } as const;

interface Probe {
  readonly _id: string;
  readonly probe: string;
  readonly at: Date;
  readonly value?: string;
  readonly rare?: string;
  readonly version?: number;
  readonly bytes?: Buffer;
}

type Probes = mongo.Collection<Probe>;

/** What is relied on, and whether the server does it: true, or what it did instead. */
type Ability = readonly [
  what: string,
  ask: (probes: Probes, probe: string, at: Date) => Promise<true | string>,
];

const ABILITIES: readonly Ability[] = [
  [
    'a majority has a write when it is answered',
    async (probes, probe, at) => {
      const { acknowledged } = await probes.insertOne(
        { _id: `${probe}-1`, probe, at, value: 'b', version: 1 },
        majorityWithin(COMMAND_MS),
      );
      return acknowledged || 'it acknowledged nothing';
    },
  ],
  [
    'a unique index refuses a second value and names itself',
    async (probes, probe, at) => {
      const twice = await refusalOf(probes.insertOne({ _id: `${probe}-2`, probe, at, value: 'b' }));
      if (!isDuplicate(twice)) return `it answered ${told(twice)}`;
      const named = violatedIndex(twice, UNIQUE);
      return named === 'value' || `it named ${named}`;
    },
  ],
  [
    'an identifier that is taken is told from another unique value',
    async (probes, probe, at) => {
      const twice = await refusalOf(probes.insertOne({ _id: `${probe}-1`, probe, at, value: 'c' }));
      if (!isDuplicate(twice)) return `it answered ${told(twice)}`;
      const named = violatedIndex(twice, UNIQUE);
      return named === 'id' || `it named ${named}`;
    },
  ],
  [
    'any number of documents lack the field of a unique index',
    async (probes, probe, at) => {
      await probes.insertMany([
        { _id: `${probe}-3`, probe, at, value: 'B' },
        { _id: `${probe}-4`, probe, at, value: 'a' },
      ]);
      return true;
    },
  ],
  [
    'of several updates from one version, one is made',
    async (probes, probe) => {
      const update = () =>
        probes.findOneAndUpdate(
          { _id: `${probe}-1`, version: 1 },
          { $set: { version: 2 } },
          { returnDocument: 'after' },
        );
      const made = (await Promise.all([update(), update(), update()])).filter((each) => each !== null);
      if (made.length !== 1) return `it made ${made.length} of them`;
      return made[0]?.version === 2 || 'it returned what was there before';
    },
  ],
  [
    'an upsert that meets a taken identifier is refused',
    async (probes, probe) => {
      const met = await refusalOf(
        probes.updateOne({ _id: `${probe}-1`, version: 9 }, { $set: { version: 10 } }, { upsert: true }),
      );
      return isDuplicate(met) || `it answered ${told(met)}`;
    },
  ],
  [
    'texts are sorted by their bytes',
    async (probes, probe) => {
      const found = await probes
        .find({ probe }, { readPreference: 'primary' })
        .sort({ value: 1 })
        .project<{ value: string }>({ value: 1 })
        .toArray();
      const values = found.map(({ value }) => value).join('');
      return values === 'Bab' || `it sorted B, a, b as ${[...values].join(', ')}`;
    },
  ],
  [
    'a read gives what a majority has',
    async (probes, probe) => {
      const found = await probes.findOne(
        { _id: `${probe}-1` },
        { readConcern: 'majority', readPreference: 'primary' },
      );
      return found?.version === 2 || `it answered ${told(found)}`;
    },
  ],
  [
    'bytes come back as they were',
    async (probes, probe, at) => {
      const bytes = Buffer.from(Uint8Array.from({ length: 65_536 }, (_, index) => index % 251));
      await probes.insertOne({ _id: `${probe}-5`, probe, at, value: 'z', bytes });
      const found = await probes.findOne(
        { _id: `${probe}-5` },
        { promoteBuffers: true, readPreference: 'primary' },
      );
      return (Buffer.isBuffer(found?.bytes) && bytes.equals(found.bytes)) || 'they differ';
    },
  ],
  [
    'a deletion says how many it removed',
    async (probes, probe) => {
      const { deletedCount } = await probes.deleteMany({ probe }, majorityWithin(COMMAND_MS));
      return deletedCount === 4 || `it said ${deletedCount} of 4`;
    },
  ],
];

/**
 * Writes a few documents into a collection of its own, and removes them again.
 * @throws Error that names what the server does not do, and what it did instead; faults of a server that is lost pass as they are
 */
export async function requireAbilities(connection: Connection): Promise<void> {
  const probe = randomUUID();
  const at = new Date();
  const probes: Probes = connection.collection<Probe>(PROBE_COLLECTION) as unknown as Probes;
  try {
    await answeredWithin(
      COMMAND_MS,
      probes.createIndex({ probe: 1, value: 1 }, { name: 'value', unique: true }),
    );
    await answeredWithin(
      COMMAND_MS,
      probes.createIndex({ rare: 1 }, { name: 'sparse', unique: true, sparse: true }),
    );
    await answeredWithin(
      COMMAND_MS,
      probes.createIndex({ at: 1 }, { name: 'left', expireAfterSeconds: LEFT_SECONDS }),
    );
    for (const [what, ask] of ABILITIES) {
      const found = await answeredWithin(2 * COMMAND_MS, ask(probes, probe, at)).catch((fault) => {
        if (isOutage(fault)) throw fault;
        return `it answered ${told(fault)}`;
      });
      if (found === true) continue;
      throw new Error(
        `MONGODB_URI: this server is not one that Tidegate can store in. Needed: ${what}; but ${found}. docs/storage.md says which servers are supported`,
      );
    }
  } finally {
    await answeredWithin(COMMAND_MS, probes.deleteMany({ probe })).catch(() => undefined);
  }
}

/** What a server answers that ought to refuse, also when it does not. @throws the fault of a server that is lost: that is no answer */
function refusalOf(command: Promise<unknown>): Promise<unknown> {
  return command.catch((fault) => {
    if (isOutage(fault)) throw fault;
    return fault;
  });
}

/** An answer in a few words. */
function told(answer: unknown): string {
  return answer instanceof Error ? `${answer.name}: ${answer.message}` : JSON.stringify(answer);
}
