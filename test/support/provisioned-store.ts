/** A store in memory and a provisioning file with one of everything, for tests of what applying it does. */

import { randomBytes } from 'node:crypto';
import {
  applyProvisioning,
  type ProvisioningReport,
} from '../../services/resources/provisioning/apply-provisioning.ts';
import { SHIPPED_CATALOGUE } from '../../services/shared/access/scope-catalogue.ts';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';
import type { ApiKey } from '../../services/shared/model/api-key.ts';
import type { User } from '../../services/shared/model/user.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import { createIds } from '../../services/shared/ports/ids.ts';
import { createMemoryDocumentStore } from './memory-document-store.ts';

export const KEY = createApiKeyText('tg', randomBytes);
export const OTHER_KEY = createApiKeyText('tg', randomBytes);

/** A file with one of everything; each option replaces a part of it. */
export function fileText(
  options: Partial<Record<'user' | 'password' | 'website' | 'key' | 'extra', string>> = {},
): string {
  return `
organizations:
  - id: org_one
    name: One
    plan: pro
    limits: {perMinute: 5000}
    users:
      - {email: Ada@example.com, ${options.password ?? 'password: correct-horse'}, ${options.user ?? 'role: owner'}}
    websites:
      - {id: web_shop, ${options.website ?? 'name: Shop, domain: shop.example.com'}}
    apiKeys:
      - {id: key_server, ${options.key ?? `name: Server, key: ${KEY}`}, scopes: [track:events, read:data], access: {level: website, websiteIds: [web_shop]}}
${options.extra ?? ''}`;
}

/** An empty store, what applies a file to it, and its key and user of that file. */
export function createProvisionedStore(clock: Clock) {
  const documents = createMemoryDocumentStore(clock);
  const ids = createIds();
  return {
    documents,
    apply(text: string): Promise<ProvisioningReport> {
      return applyProvisioning(
        { documents, ids },
        {
          file: 'p.yml',
          text,
          plans: ['free', 'pro'],
          scopes: SHIPPED_CATALOGUE.ofKeys,
          servedSegments: ['track'],
        },
      );
    },
    async storedKey(): Promise<ApiKey> {
      const key = await documents.apiKeys.get('org_one', 'key_server');
      if (!key) throw new Error('key_server is not there');
      return key;
    },
    async storedUser(): Promise<User> {
      const user = await documents.users.findUnique('emailHome', ['ada@example.com', '*']);
      if (!user) throw new Error('ada is not there');
      return user;
    },
  };
}
