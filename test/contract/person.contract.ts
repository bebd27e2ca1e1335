/** Which events a person's erasure takes, and its answer tells of, whichever engine holds them: by what was said with a key, and by what anybody may say. */
import { expect } from 'chai';
import { cleanProfile } from '../../services/resources/cleanup/clean-profile.ts';
import { knownPerson } from '../../services/resources/profiles/known-person.ts';
import type { Caller } from '../../services/shared/access/caller.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import type { ProfileEvents } from '../../services/shared/ports/profile-events.ts';
import { writeProfile } from '../../services/tracking/identify/write-profile.ts';
import { eventRecord } from '../support/event-record.ts';
import { createMemoryDocumentStore } from '../support/memory-document-store.ts';
import type { EventKeeperFixture } from './event-store.contract.ts';

/** Who says that the visitor `anna` is whom, and where; null: of the organization, which takes a key. */
interface Claim {
  readonly by: 'key' | 'anybody';
  readonly on: string | null;
  readonly person: string;
}

interface Case {
  readonly what: string;
  readonly claims: readonly Claim[];
  /** The website that is named; absent: the whole organization. */
  readonly of?: string;
  /** Where the unnamed events of anna are erased with the person `paula`, and counted as hers. */
  readonly gone: readonly string[];
}

const WEBSITES = ['web_blog', 'web_shop'];
const EVERYWHERE = ['organization', ...WEBSITES];
const anybody = (on: string, person = 'paula'): Claim => ({ by: 'anybody', on, person });
const key = (on: string | null, person = 'paula'): Claim => ({ by: 'key', on, person });

const CASES: readonly Case[] = [
  {
    what: 'a claim without a key, alone on its own website',
    claims: [anybody('web_shop')],
    gone: ['web_shop'],
  },
  {
    what: 'a claim without a key on the website that is named',
    claims: [anybody('web_shop')],
    of: 'web_shop',
    gone: ['web_shop'],
  },
  {
    what: 'a claim without a key on another website',
    claims: [anybody('web_blog')],
    of: 'web_shop',
    gone: [],
  },
  {
    what: 'a claim without a key against the person that a key named there',
    claims: [key('web_shop', 'other'), anybody('web_shop')],
    gone: [],
  },
  {
    what: 'a claim without a key before a key named another person there',
    claims: [anybody('web_shop'), key('web_shop', 'other')],
    gone: [],
  },
  {
    what: 'a claim without a key against the word of a key on another website',
    claims: [key('web_blog', 'other'), anybody('web_shop')],
    gone: ['web_shop'],
  },
  {
    what: 'a claim with a key after one without for the same person',
    claims: [anybody('web_shop'), key('web_shop')],
    gone: EVERYWHERE,
  },
  { what: 'a claim with a key', claims: [key('web_shop')], gone: EVERYWHERE },
  { what: 'a claim with a key for the organization', claims: [key(null)], gone: EVERYWHERE },
  {
    what: 'a claim with a key where one website is named',
    claims: [key('web_shop')],
    of: 'web_shop',
    gone: ['web_shop'],
  },
];

const CALLER = {
  kind: 'key',
  organizationId: 'org_1',
  access: { level: 'global' },
} as unknown as Caller;

/** Declares the contract's tests; `fixture` gives the one of the running test. */
export function personContract(fixture: () => EventKeeperFixture): void {
  describe('the unnamed events of a person', () => {
    async function setUp() {
      const documents = createMemoryDocumentStore(systemClock);
      for (const id of WEBSITES) {
        await documents.websites.insert({
          id,
          organizationId: 'org_1',
          name: id,
          domain: `${id.slice(4)}.example.com`,
          isPublic: false,
          settings: { allowedOrigins: [], keylessTracking: true, timezone: 'UTC' },
        });
      }
      await fixture().store.append([
        event('unnamed organization', null, null),
        ...WEBSITES.map((website) => event(`unnamed ${website}`, website, null)),
        { ...event('stranger', 'web_shop', null), anonymous_id: 'bert' },
      ]);
      return documents;
    }
    type Documents = Awaited<ReturnType<typeof setUp>>;
    const event = (event_id: string, website_id: string | null, profile_id: string | null) =>
      eventRecord({ event_id, organization_id: 'org_1', website_id, anonymous_id: 'anna', profile_id });

    /** One way of saying who a visitor is. */
    type Say = (documents: Documents, claim: Claim, i: number) => Promise<unknown>;
    const byEvent: Say = (_, { by, on, person }, i) =>
      fixture().store.append([
        { ...event(`${person} ${i}`, on, person), is_keyless: by === 'anybody' || null },
      ]);
    const byIdentify: Say = async (documents, { by, on, person }) => {
      const website = on === null ? null : await documents.websites.get('org_1', on);
      const writer = { isKeyed: by === 'key', admitNew: async () => () => undefined };
      const said = { profileId: person, anonymousId: 'anna' };
      await writeProfile(documents, { organizationId: 'org_1', website }, said, writer);
    };

    const erase = (documents: Documents, profileEvents: ProfileEvents, websiteId: string | null) =>
      cleanProfile(
        {
          ...{ id: 'cln_1', version: 1, createdAt: '', updatedAt: '', kind: 'profile', anonymousId: null },
          ...{ organizationId: 'org_1', websiteId, profileId: 'paula' },
        },
        { documents, profileEvents, events: fixture().store, signal: new AbortController().signal },
      );

    /** Asks what is known, erases, and compares both with what should go. */
    async function judge(documents: Documents, of: string | null, gone: readonly string[]): Promise<void> {
      const { profileEvents } = fixture().store;
      const ports = { documents, profileEvents };
      const person = { profileId: 'paula', websiteId: of };
      const told = await knownPerson(ports, CALLER, person).catch((fault: unknown) => {
        if (fault instanceof ApiError && fault.code === 'NOT_FOUND') return { events: 0 };
        throw fault;
      });
      const before = await idsOf();
      const removed = await erase(documents, profileEvents, of);
      const after = await idsOf();
      const erased = before.filter((id) => !after.includes(id));
      expect(erased.filter((id) => id.startsWith('unnamed'))).to.deep.equal(
        gone.map((where) => `unnamed ${where}`),
      );
      expect([told.events, removed.events]).to.deep.equal([erased.length, erased.length]);
      expect(after).to.include('stranger');
      expect(after.filter((id) => id.startsWith('other'))).to.deep.equal(
        before.filter((id) => id.startsWith('other')),
      );
    }
    const idsOf = async () => (await fixture().stored()).map(({ event_id }) => String(event_id));

    for (const { what, claims, of = null, gone } of CASES) {
      const ways: readonly [string, readonly Say[]][] = [
        ['by events', [byEvent]],
        ['by /identify', [byIdentify]],
        ['by /identify and an event', [byIdentify, byEvent]],
        ['by an event and /identify', [byEvent, byIdentify]],
      ];
      for (const [how, says] of claims.length > 1 ? ways : ways.slice(0, 2)) {
        it(`go by ${what}, said ${how}`, async () => {
          const documents = await setUp();
          for (const [i, claim] of claims.entries()) await says[i % says.length]?.(documents, claim, i);
          await judge(documents, of, gone);
        });
      }
    }

    it('go by claims without a key on several websites, however many visitors were named', async () => {
      const documents = await setUp();
      // Odd, so that a page of them ends between the two websites of a visitor.
      const claimed: [website: string, visitor: string][] = [['web_blog', 'a']];
      for (let i = 0; i < 520; i++) for (const website of WEBSITES) claimed.push([website, `v${i}`]);
      const events = claimed.flatMap(([website, anonymous_id], i) => [
        { ...event(`paula ${i}`, website, 'paula'), anonymous_id, is_keyless: true },
        { ...event(`later ${i}`, website, null), anonymous_id },
        { ...event(`organization ${i}`, null, null), anonymous_id },
      ]);
      await fixture().store.append(events);
      const { profileEvents } = fixture().store;
      await erase(documents, profileEvents, null);
      const left = await idsOf();
      expect(left.filter((id) => id.startsWith('later') || id.startsWith('paula'))).to.deep.equal([]);
      expect(left.filter((id) => id.startsWith('organization'))).to.have.length(claimed.length);
    });
  });
}
