/** Holds the verdicts on keys to contract.md section 3 where rotation is concerned: the grace, to the millisecond. */

import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createKeyIndex } from '../../../plugins/auth/key-index.ts';
import { createKeyVerdicts } from '../../../plugins/auth/key-verdicts.ts';
import {
  changeApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../../../services/resources/api-keys/change-api-key.ts';
import { createApiKey } from '../../../services/resources/api-keys/create-api-key.ts';
import { SHIPPED_CATALOGUE } from '../../../services/shared/access/scope-catalogue.ts';
import { createIds } from '../../../services/shared/ports/ids.ts';
import { MemoryBus } from '../../../services/shared/storage/memory/memory-bus.ts';
import { createStrictLogger } from '../../support/log-watch.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import { createTestClock } from '../../support/test-clock.ts';

/** Past the life of any remembered verdict, in milliseconds. */
const LONGER_THAN_A_VERDICT = 5_000;

describe('verdicts on rotated keys', () => {
  async function start(expiresAt: string | null = null) {
    const clock = createTestClock('2026-03-01T12:00:00.000Z');
    const documents = createMemoryDocumentStore(clock);
    const ports = { documents, ids: createIds(), clock, randomBytes, scopes: () => SHIPPED_CATALOGUE };
    const organization = { name: 'One', plan: 'free', limits: {} };
    await ports.documents.organizations.insert({ id: 'org_one', organizationId: 'org_one', ...organization });
    const { apiKey, secret: old } = await createApiKey(
      ports,
      { organizationId: 'org_one', createdBy: 'usr_ada', prefix: 'tg' },
      { name: 'Server', scopes: ['track:events'], access: { level: 'global' }, expiresAt },
    );
    const target = { organizationId: 'org_one', id: apiKey.id };
    const bus = new MemoryBus();
    const index = createKeyIndex({ ...ports, bus, logger: createStrictLogger() });
    await index.settled();
    // A process that only learns of what others wrote by the age of its verdicts.
    const verdicts = createKeyVerdicts({ ...ports, bus, index, scopes: SHIPPED_CATALOGUE });
    return {
      clock,
      old,
      rotate: async (graceSeconds: number) =>
        (await rotateApiKey(ports, target, { graceSeconds, prefix: 'tg' })).secret,
      revoke: () => revokeApiKey(ports, target),
      disable: () => changeApiKey(ports, target, { enabled: false }),
      /** The identifier of the key that the text is taken for, null when it is refused. */
      judge: async (key: string) => (await verdicts.judge(key, () => true))?.caller.id ?? null,
      id: apiKey.id,
    };
  }

  it('honours the old secret during its grace, beside the new one, and refuses it at its end', async () => {
    const { clock, old, rotate, judge, id } = await start();
    const fresh = await rotate(60);
    expect([await judge(old), await judge(fresh)]).to.deep.equal([id, id]);
    clock.advance(59_999);
    expect(await judge(old)).to.equal(id);
    clock.advance(1);
    expect([await judge(old), await judge(fresh)]).to.deep.equal([null, id]);
    clock.advance(LONGER_THAN_A_VERDICT);
    expect([await judge(old), await judge(fresh)]).to.deep.equal([null, id]);
  });

  it('refuses the old secret at once without a grace', async () => {
    const { old, rotate, judge, id } = await start();
    const fresh = await rotate(0);
    expect([await judge(old), await judge(fresh)]).to.deep.equal([null, id]);
  });

  it('refuses a remembered old secret within 5 seconds of a rotation without grace', async () => {
    const { clock, old, rotate, judge, id } = await start();
    expect(await judge(old)).to.equal(id);
    await rotate(0);
    clock.advance(LONGER_THAN_A_VERDICT);
    expect(await judge(old)).to.equal(null);
  });

  it('refuses old and new secret when the key expires, whatever the grace', async () => {
    const { clock, old, rotate, judge, id } = await start('2026-03-01T12:00:30.000Z');
    const fresh = await rotate(3_600);
    expect([await judge(old), await judge(fresh)]).to.deep.equal([id, id]);
    clock.advance(30_000);
    expect([await judge(old), await judge(fresh)]).to.deep.equal([null, null]);
  });

  it('ends a secret that was rotated out before, when the key is rotated again within its grace', async () => {
    const { old, rotate, judge, id } = await start();
    const second = await rotate(3_600);
    const third = await rotate(3_600);
    expect([await judge(old), await judge(second), await judge(third)]).to.deep.equal([null, id, id]);
  });

  it('refuses a rotated-out secret when its key is revoked or disabled', async () => {
    for (const act of ['revoke', 'disable'] as const) {
      const started = await start();
      const fresh = await started.rotate(3_600);
      await started[act]();
      expect([await started.judge(started.old), await started.judge(fresh)], act).to.deep.equal([null, null]);
    }
  });
});
