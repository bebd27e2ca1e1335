/** Key verdicts over a store in memory that counts its look-ups, holds them back, or fails. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { createKeyIndex, type KeyIndex } from '../../plugins/auth/key-index.ts';
import { createKeyVerdicts, type KeyVerdicts } from '../../plugins/auth/key-verdicts.ts';
import { createApiKeyText, hashApiKey } from '../../services/shared/credentials/api-key-text.ts';
import type { ApiKey } from '../../services/shared/model/api-key.ts';
import type { Bus } from '../../services/shared/ports/bus.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { MemoryBus } from '../../services/shared/storage/memory/memory-bus.ts';
import { publishWrites } from '../../services/shared/storage/publish-writes.ts';
import { createMemoryDocumentStore } from './memory-document-store.ts';
import { createTestClock, type TestClock } from './test-clock.ts';

export interface VerdictFixture {
  readonly verdicts: KeyVerdicts;
  readonly index: KeyIndex;
  readonly bus: Bus;
  readonly clock: TestClock;
  /** The store as writers of this process have it: its writes are told on the bus. */
  readonly documents: DocumentStore;
  /** The store as another process has it: its writes are told to nobody. */
  readonly silent: DocumentStore;
  /** Key look-ups so far. */
  lookUps(): number;
  /** Every look-up waits, after it read, until the returned function is called. */
  hold(): () => void;
  /** Look-ups reject from now on, with this. */
  failWith(fault: Error | null): void;
  /** A new live key of `org_a`, written without a word on the bus. */
  addKey(changes?: Partial<ApiKey>): Promise<string>;
  /** Changes the key as a writer of this process does. */
  change(key: string, changes: Partial<ApiKey>, by?: DocumentStore): Promise<void>;
  /** Whether the key is good; strangers may be looked up unless `mayGuess` is false. */
  isGood(key: string, mayGuess?: boolean): Promise<boolean>;
}

/** A well-formed key text. */
export function newKey(): string {
  return createApiKeyText('tg', randomBytes);
}

export async function createVerdictFixture(): Promise<VerdictFixture> {
  const clock = createTestClock();
  const bus = new MemoryBus();
  const silent = createMemoryDocumentStore(clock);
  let lookUps = 0;
  let held: Promise<void> | null = null;
  let fault: Error | null = null;
  const asked: DocumentStore = {
    ...silent,
    apiKeys: {
      ...silent.apiKeys,
      async findUnique(index, values) {
        // A look-up goes by the current hash first, then by the rotated-out one.
        if (index === 'keyHash') lookUps++;
        if (fault !== null) throw fault;
        const found = await silent.apiKeys.findUnique(index, values);
        if (held !== null) await held;
        return found;
      },
    },
  };
  await silent.organizations.insert({
    id: 'org_a',
    organizationId: 'org_a',
    name: 'A',
    plan: 'free',
    limits: {},
  });
  const documents = publishWrites(silent, bus);
  const index = createKeyIndex({ documents: asked, bus, clock, logger: pino({ level: 'silent' }) });
  const verdicts = createKeyVerdicts({ documents: asked, bus, clock, index });
  await index.settled();

  return {
    verdicts,
    index,
    bus,
    clock,
    documents,
    silent,
    lookUps: () => lookUps,
    hold() {
      let release = (): void => {};
      held = new Promise((resolve) => {
        release = () => {
          held = null;
          resolve();
        };
      });
      return release;
    },
    failWith(thrown) {
      fault = thrown;
    },
    async addKey(changes = {}) {
      const text = newKey();
      await silent.apiKeys.insert({
        id: `key_${text}`,
        organizationId: 'org_a',
        name: 'a key',
        keyHash: hashApiKey(text),
        start: text.slice(0, 8),
        last4: text.slice(-4),
        scopes: ['read:data', 'track:events'],
        access: { level: 'global' },
        enabled: true,
        expiresAt: null,
        revokedAt: null,
        createdBy: 'test',
        previousKeyHash: null,
        previousValidUntil: null,
        ...changes,
      });
      return text;
    },
    async change(key, changes, by = documents) {
      const stored = await by.apiKeys.findUnique('keyHash', [hashApiKey(key)]);
      if (!stored) throw new Error('no such key');
      await by.apiKeys.update(stored.organizationId, stored.id, stored.version, changes);
    },
    isGood: async (key, mayGuess = true) => (await verdicts.judge(key, () => mayGuess)) !== null,
  };
}
