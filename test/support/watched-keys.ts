/** A document store with one organization and its key, that counts look-ups of keys and can be down or slow. */
import { randomBytes } from 'node:crypto';
import { createApiKeyText, hashApiKey } from '../../services/shared/credentials/api-key-text.ts';
import type { ApiKey } from '../../services/shared/model/api-key.ts';
import type { Organization } from '../../services/shared/model/organization.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { Changes, DocumentStore } from '../../services/shared/ports/document-store.ts';
import { createMemoryDocumentStore } from './memory-document-store.ts';

export interface WatchedKeys {
  readonly documents: DocumentStore;
  /** The key of `org_a`, live and without end. */
  readonly key: string;
  /** How often a key was looked up. */
  lookUps(): number;
  /** From now on look-ups reject, or work again. */
  setDown(down: boolean): void;
  /** Look-ups read at once and answer when the function is called. */
  hold(): () => void;
  /** Stores another key of `org_a`. */
  add(key: string): Promise<void>;
  changeKey(changes: Changes<ApiKey>): Promise<void>;
  changeOrganization(changes: Changes<Organization>): Promise<void>;
}

/** A well-formed key that no store knows. */
export function strangeKey(): string {
  return createApiKeyText('tg', randomBytes);
}

export async function createWatchedKeys(clock: Clock): Promise<WatchedKeys> {
  const store = createMemoryDocumentStore(clock);
  const key = strangeKey();
  let count = 0;
  let keys = 0;
  let down = false;
  let held: Promise<void> | null = null;

  const documents: DocumentStore = {
    ...store,
    apiKeys: {
      ...store.apiKeys,
      async findUnique(index, values) {
        // A look-up goes by the current hash first, then by the rotated-out one.
        if (index === 'keyHash') count++;
        if (down) throw new Error('the store is down');
        const found = await store.apiKeys.findUnique(index, values);
        await held;
        return found;
      },
    },
  };
  async function add(text: string): Promise<void> {
    await store.apiKeys.insert({
      id: `key_${keys++}`,
      organizationId: 'org_a',
      name: 'key',
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
    });
  }
  await store.organizations.insert({
    id: 'org_a',
    organizationId: 'org_a',
    name: 'A',
    plan: 'free',
    limits: {},
  });
  await add(key);

  return {
    documents,
    key,
    lookUps: () => count,
    setDown(isDown) {
      down = isDown;
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
    add,
    async changeKey(changes) {
      const stored = await store.apiKeys.get('org_a', 'key_0');
      await store.apiKeys.update('org_a', 'key_0', stored?.version ?? 0, changes);
    },
    async changeOrganization(changes) {
      const stored = await store.organizations.get('org_a', 'org_a');
      await store.organizations.update('org_a', 'org_a', stored?.version ?? 0, changes);
    },
  };
}
