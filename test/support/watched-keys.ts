/** A document store with one organization and its keys that counts look-ups, holds them back, or fails; and key verdicts over it. */

import { randomBytes } from 'node:crypto';
import { createKeyIndex, type KeyIndex } from '../../plugins/auth/key-index.ts';
import { createKeyVerdicts, type KeyVerdicts } from '../../plugins/auth/key-verdicts.ts';
import { SHIPPED_CATALOGUE } from '../../services/shared/access/scope-catalogue.ts';
import { createApiKeyText, hashApiKey } from '../../services/shared/credentials/api-key-text.ts';
import type { ApiKey } from '../../services/shared/model/api-key.ts';
import type { Organization } from '../../services/shared/model/organization.ts';
import type { Bus } from '../../services/shared/ports/bus.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { Changes, DocumentStore } from '../../services/shared/ports/document-store.ts';
import { MemoryBus } from '../../services/shared/storage/memory/memory-bus.ts';
import { publishWrites } from '../../services/shared/storage/publish-writes.ts';
import { createStrictLogger } from './log-watch.ts';
import { createMemoryDocumentStore } from './memory-document-store.ts';
import { createTestClock, type TestClock } from './test-clock.ts';

export interface WatchedKeys {
  /** The store whose look-ups are counted; its writes are told to nobody, as those of another process. */
  readonly documents: DocumentStore;
  /** The first key of `org_a`, `key_0`, live and without end. */
  readonly key: string;
  /** Key look-ups so far. */
  lookUps(): number;
  /** Look-ups reject from now on, with this; null: they work again. */
  failWith(fault: Error | null): void;
  /** Look-ups read at once and answer when the returned function is called. */
  hold(): () => void;
  /** Stores another live key of `org_a`, under `key_1`, `key_2` and so on; its text. */
  addKey(changes?: Partial<ApiKey>, text?: string): Promise<string>;
  /** Changes a key as a writer over `by` does; default: one that tells nobody, or, over verdicts, one that tells. */
  change(key: string, changes: Changes<ApiKey>, by?: DocumentStore): Promise<void>;
  changeOrganization(changes: Changes<Organization>): Promise<void>;
}

/** Drawn at once for thousands of keys. */
let drawn = randomBytes(0);
function drawBytes(size: number): Uint8Array {
  if (drawn.length < size) drawn = randomBytes(65_536);
  const bytes = drawn.subarray(0, size);
  drawn = drawn.subarray(size);
  return bytes;
}

/** A well-formed key text that no store knows yet. */
export function newKey(): string {
  return createApiKeyText('tg', drawBytes);
}

export async function createWatchedKeys(clock: Clock): Promise<WatchedKeys> {
  const store = createMemoryDocumentStore(clock);
  let lookUps = 0;
  let keys = 0;
  let fault: Error | null = null;
  let held: Promise<void> | null = null;
  const documents: DocumentStore = {
    ...store,
    apiKeys: {
      ...store.apiKeys,
      async findUnique(index, values) {
        // A look-up goes by the current hash first, then by the rotated-out one.
        if (index === 'keyHash') lookUps++;
        if (fault !== null) throw fault;
        const found = await store.apiKeys.findUnique(index, values);
        if (held !== null) await held;
        return found;
      },
    },
  };

  async function addKey(changes: Partial<ApiKey> = {}, text = newKey()): Promise<string> {
    await store.apiKeys.insert({
      id: `key_${keys++}`,
      organizationId: 'org_a',
      name: 'a key',
      keyHash: hashApiKey(text),
      start: text.slice(0, 8),
      last4: text.slice(-4),
      scopes: ['read:data'],
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
  }
  await store.organizations.insert({
    id: 'org_a',
    organizationId: 'org_a',
    name: 'A',
    plan: 'free',
    limits: {},
  });

  return {
    documents,
    key: await addKey(),
    lookUps: () => lookUps,
    failWith(thrown) {
      fault = thrown;
    },
    hold() {
      let release = (): void => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return () => {
        held = null;
        release();
      };
    },
    addKey,
    async change(key, changes, by = store) {
      // Found beside the watched look-up: a test's own reading is not counted.
      const stored = await store.apiKeys.findUnique('keyHash', [hashApiKey(key)]);
      if (!stored) throw new Error('no such key');
      await by.apiKeys.update(stored.organizationId, stored.id, stored.version, changes);
    },
    async changeOrganization(changes) {
      const stored = await store.organizations.get('org_a', 'org_a');
      await store.organizations.update('org_a', 'org_a', stored?.version ?? 0, changes);
    },
  };
}

export interface WatchedVerdicts extends WatchedKeys {
  readonly verdicts: KeyVerdicts;
  readonly index: KeyIndex;
  readonly bus: Bus;
  readonly clock: TestClock;
  /** The same store as writers of this process have it: its writes are told on the bus. */
  readonly told: DocumentStore;
  /** Whether the key is good; strangers may be looked up unless `mayGuess` is false. */
  isGood(key: string, mayGuess?: boolean): Promise<boolean>;
}

/** Verdicts over watched keys, with an index that is read. */
export async function createWatchedVerdicts(): Promise<WatchedVerdicts> {
  const clock = createTestClock();
  const bus = new MemoryBus();
  const keys = await createWatchedKeys(clock);
  const ports = { documents: keys.documents, bus, clock };
  const index = createKeyIndex({ ...ports, logger: createStrictLogger() });
  const verdicts = createKeyVerdicts({ ...ports, index, scopes: SHIPPED_CATALOGUE });
  await index.settled();
  const told = publishWrites(keys.documents, bus);
  return {
    ...keys,
    change: (key, changes, by = told) => keys.change(key, changes, by),
    verdicts,
    index,
    bus,
    clock,
    told,
    isGood: async (key, mayGuess = true) => (await verdicts.judge(key, () => mayGuess)) !== null,
  };
}
