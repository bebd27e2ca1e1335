/** Holds clean-ups: everything goes and nothing else, whatever faults and ends of the process come in between. */

import { expect } from 'chai';
import { createCleanups } from '../../../../services/resources/cleanup/cleanups.ts';
import type { Cleanup } from '../../../../services/shared/model/cleanup.ts';
import type { CollectionName } from '../../../../services/shared/model/collection-types.ts';
import { COLLECTIONS } from '../../../../services/shared/model/collections.ts';
import { systemClock } from '../../../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../../../services/shared/ports/document-store.ts';
import type { EventSelection } from '../../../../services/shared/ports/event-store.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { NO_PROFILE_EVENTS } from '../../../support/no-profile-events.ts';
import { seedOrganization } from '../../../support/seed-organization.ts';
import { storedDocuments } from '../../../support/stored-documents.ts';
import { until } from '../../../support/until.ts';

const WEBSITE = {
  kind: 'website',
  organizationId: 'org_one',
  websiteId: 'web_one',
  anonymousId: null,
} as const;
const ORGANIZATION = {
  kind: 'organization',
  organizationId: 'org_one',
  websiteId: null,
  anonymousId: null,
} as const;
const SILENT = { info() {}, warn() {} };

/** A store of two organizations that hold something in every collection. */
async function seeded(): Promise<DocumentStore> {
  const documents = createMemoryDocumentStore(systemClock);
  await seedOrganization(documents, 'one');
  await seedOrganization(documents, 'two');
  return documents;
}

/** The store, whose every removal is counted; the one of number `dies` throws, as all do after it. */
function mortal(documents: DocumentStore, dies = Number.POSITIVE_INFINITY) {
  let removals = 0;
  const alive = new Proxy(documents, {
    get(target, name, receiver) {
      const member = Reflect.get(target, name, receiver);
      if (!Object.hasOwn(COLLECTIONS, name)) return member;
      const collection = member as DocumentStore['links'];
      return {
        ...collection,
        remove(organizationId: string, id: string) {
          if (++removals >= dies) return Promise.reject(new Error('the process died'));
          return collection.remove(organizationId, id);
        },
      };
    },
  });
  return { documents: alive, removals: () => removals };
}

/** Everything of one organization and its members but its clean-ups. */
async function leftOf(documents: DocumentStore, organizationId: string, users: readonly string[]) {
  const found: string[] = [];
  for (const name of Object.keys(COLLECTIONS) as CollectionName[]) {
    if (name === 'cleanups') continue;
    for (const tenant of [organizationId, ...users]) {
      found.push(...(await documents[name].all(tenant)).map(({ id }) => `${name} ${id}`));
    }
  }
  return found.sort();
}

describe('clean-ups', () => {
  const eraser = (erased: EventSelection[]) => ({
    async erase(selection: EventSelection) {
      erased.push(selection);
      return 7;
    },
  });
  const write = (
    documents: DocumentStore,
    fields: Omit<Cleanup, 'id' | 'version' | 'createdAt' | 'updatedAt'>,
  ) => documents.cleanups.insert({ id: 'cln_1', ...fields });
  const over = (documents: DocumentStore, erased: EventSelection[] = [], settlesAfterMs?: number) =>
    createCleanups(
      {
        documents,
        events: eraser(erased),
        profileEvents: NO_PROFILE_EVENTS,
        clock: systemClock,
        log: SILENT,
      },
      settlesAfterMs === undefined ? {} : { settlesAfterMs },
    );

  it('of a website remove what hangs on it, its events last, and nothing else', async () => {
    const documents = await seeded();
    const before = await leftOf(documents, 'org_one', []);
    const other = await storedDocuments(documents, 'org_two');
    await write(documents, WEBSITE);
    const erased: EventSelection[] = [];
    expect(await over(documents, erased).finishLeft()).to.equal(0);
    const left = await leftOf(documents, 'org_one', []);
    const gone = before.filter((one) => !left.includes(one));
    expect(gone.map((one) => one.split(' ')[0])).to.deep.equal([
      'activity',
      'annotations',
      'flags',
      'funnels',
      'goals',
      'keylessUsage',
      'links',
      'profiles',
      'shares',
      'views',
      'visitorProfiles',
      'websites',
    ]);
    expect(gone.every((one) => one.includes('website_one') || one.endsWith('web_one'))).to.equal(true);
    expect(erased).to.deep.equal([{ organizationId: 'org_one', websiteId: 'web_one', anonymousId: null }]);
    expect(await storedDocuments(documents, 'org_two')).to.deep.equal(other);
    expect(await documents.allCleanups()).to.deep.equal([]);
  });

  it('of an organization leave nothing in any collection, and keep users who belong elsewhere', async () => {
    const documents = await seeded();
    await documents.memberships.insert({
      id: 'mem_y',
      organizationId: 'org_one',
      userId: 'usr_two',
      role: 'viewer',
    });
    await documents.cleanups.insert({ id: 'cln_0', ...WEBSITE });
    const two = await leftOf(documents, 'org_two', ['usr_two']);
    const held = (await leftOf(documents, 'org_one', ['usr_one'])).map((one) => one.split(' ')[0]);
    // Salts are the installation's, not of one organization.
    const others = ['cleanups', 'visitorSalts', 'configurations', 'configurationPins', 'gatewaySnapshots'];
    const collections = Object.keys(COLLECTIONS).filter((name) => !others.includes(name));
    expect([...new Set(held)], 'every collection has something to remove').to.have.members(collections);
    await write(documents, ORGANIZATION);
    const erased: EventSelection[] = [];
    expect(await over(documents, erased).finishLeft()).to.equal(0);
    expect(await leftOf(documents, 'org_one', ['usr_one'])).to.deep.equal([]);
    expect(await leftOf(documents, 'org_two', ['usr_two'])).to.deep.equal(two);
    expect(await documents.allCleanups()).to.deep.equal([]);
    expect(erased.at(-1)).to.deep.equal({ organizationId: 'org_one', websiteId: null, anonymousId: null });
  });

  for (const [what, fields] of [
    ['a website', WEBSITE],
    ['an organization', ORGANIZATION],
  ] as const) {
    it(`of ${what} are finished after an end of the process before any of its removals`, async () => {
      const whole = mortal(await seeded());
      await write(whole.documents, fields);
      await over(whole.documents).finishLeft();
      const wanted = await leftOf(whole.documents, 'org_one', ['usr_one']);
      expect(whole.removals()).to.be.greaterThan(4);
      for (let dies = 1; dies <= whole.removals(); dies++) {
        const documents = await seeded();
        await write(documents, fields);
        expect(await over(mortal(documents, dies).documents).finishLeft(), `removal ${dies}`).to.equal(1);
        expect(await documents.allCleanups(), `removal ${dies}`).to.have.length(1);
        const erased: EventSelection[] = [];
        expect(await over(documents, erased).finishLeft()).to.equal(0);
        expect(await leftOf(documents, 'org_one', ['usr_one']), `removal ${dies}`).to.deep.equal(wanted);
        expect(erased).to.have.length(1);
        expect(await documents.allCleanups()).to.deep.equal([]);
      }
    });
  }

  it('leave a website alone that was made under the same identifier since', async () => {
    const documents = await seeded();
    await write(documents, WEBSITE);
    await documents.websites.remove('org_one', 'web_one');
    const before = Date.now();
    await until('the clock goes on', () => Date.now() > before);
    const website = { name: 'Again', domain: 'again.example.com', isPublic: false, settings: {} };
    await documents.websites.insert({ id: 'web_one', organizationId: 'org_one', ...website });
    const left = await leftOf(documents, 'org_one', []);
    const erased: EventSelection[] = [];
    expect(await over(documents, erased).finishLeft()).to.equal(0);
    expect([await leftOf(documents, 'org_one', []), erased]).to.deep.equal([left, []]);
  });

  it('are carried out at once when woken, and once more when what was under way has settled', async () => {
    const documents = await seeded();
    const erased: EventSelection[] = [];
    const cleanups = over(documents, erased, 2_000);
    cleanups.start();
    await write(documents, WEBSITE);
    cleanups.wake();
    await until('the first time is over', () => erased.length === 1);
    expect(await documents.allCleanups()).to.have.length(1);
    const late = { organizationId: 'org_one', websiteId: 'web_one', anonymousId: 'late', profileId: 'p' };
    await documents.visitorProfiles.insert({ id: 'vis_late', ...late });
    await until('the second time is over', async () => (await documents.allCleanups()).length === 0);
    expect(erased).to.have.length(2);
    expect(await documents.visitorProfiles.get('org_one', 'vis_late')).to.equal(null);
    await cleanups.close();
  });

  it('are tried again after a fault, while others go on', async () => {
    const documents = await seeded();
    let faults = 2;
    const erased: EventSelection[] = [];
    const events = {
      async erase(selection: EventSelection) {
        if (selection.organizationId === 'org_one' && faults-- > 0) throw new Error('the disk is full');
        return eraser(erased).erase(selection);
      },
    };
    const cleanups = createCleanups(
      { documents, events, profileEvents: NO_PROFILE_EVENTS, clock: systemClock, log: SILENT },
      { settlesAfterMs: 0, firstWaitMs: 20 },
    );
    await write(documents, WEBSITE);
    await documents.cleanups.insert({
      id: 'cln_2',
      ...WEBSITE,
      organizationId: 'org_two',
      websiteId: 'web_two',
    });
    cleanups.start();
    await until('the other is done', () => erased.length === 1);
    expect(erased[0]).to.include({ organizationId: 'org_two' });
    await until('the first is done too', async () => (await documents.allCleanups()).length === 0);
    expect(erased.map(({ organizationId }) => organizationId)).to.deep.equal(['org_two', 'org_one']);
    await cleanups.close();
  });

  it('end between two steps when closed, and go on at the next start', async () => {
    const documents = await seeded();
    for (let i = 0; i < 250; i++) {
      const profile = { websiteId: 'web_one', profileId: `p${i}`, traits: {} };
      await documents.profiles.insert({
        id: `prf_${String(i).padStart(3, '0')}`,
        organizationId: 'org_one',
        ...profile,
      });
    }
    await write(documents, WEBSITE);
    const first = over(documents);
    first.start();
    await until('it is under way', async () => (await documents.profiles.get('org_one', 'prf_010')) === null);
    await first.close();
    const left = (await documents.profiles.all('org_one')).length;
    expect(left).to.be.greaterThan(0);
    expect(await documents.allCleanups()).to.have.length(1);
    await over(documents).finishLeft();
    expect(
      (await documents.profiles.all('org_one')).filter(({ websiteId }) => websiteId === 'web_one'),
    ).to.deep.equal([]);
  });
});
