/** What events say about people: of documents where all of them are there, and of columns where some have left. */
import type {
  NamedVisitor,
  PersonEvents,
  PersonScope,
  ProfileEvents,
  Visitor,
} from '../../ports/profile-events.ts';
import { SQL_OF_PEOPLE } from '../duckdb/people-sql.ts';
import { profileEventsOver } from '../read-people.ts';
import type { MongodbColumns } from './mongodb-columns.ts';

type Cold = readonly (string | null)[];

/** Each website is answered by one of the two, so nothing is counted twice. */
export function peopleOfPartitions(
  documents: ProfileEvents,
  columns: Pick<MongodbColumns, 'run' | 'coldWebsites'>,
): ProfileEvents {
  const coldOnes = (cold: Cold): ProfileEvents =>
    profileEventsOver(SQL_OF_PEOPLE, (query, { organizationId }) => {
      const websiteIds = cold.filter((websiteId) => websiteId !== null);
      const reach = { organizationId, websiteIds, organizationEvents: cold.includes(null), range: null };
      return columns.run(query, { reach });
    });

  /** A website is said to be cold before any of its documents leaves: while no other has become so, all were there. */
  async function both<R>(
    scope: PersonScope,
    read: (people: ProfileEvents, scope: PersonScope) => Promise<R[]>,
  ): Promise<R[]> {
    let cold = await columns.coldWebsites(scope.organizationId);
    for (;;) {
      const stored = await read(documents, cold.length === 0 ? scope : { ...scope, without: cold });
      const since = await columns.coldWebsites(scope.organizationId);
      if (since.every((websiteId) => cold.includes(websiteId))) {
        const asked = cold.filter((websiteId) => isInScope(scope, websiteId));
        return asked.length === 0 ? stored : [...stored, ...(await read(coldOnes(asked), scope))];
      }
      cold = since;
    }
  }

  return {
    async visitors(scope, page) {
      const found: NamedVisitor[] = await both(scope, (people, some) => people.visitors(some, page));
      return found.sort(byVisitor).slice(0, page.limit);
    },
    keyedToOthers(scope, visitors) {
      // Of the visitors' websites alone, wherever the person is looked for.
      const websiteIds = [...new Set(visitors.flatMap(({ websiteId }) => websiteId ?? []))];
      return both({ ...scope, websiteIds }, (people, some) => people.keyedToOthers(some, visitors));
    },
    async counts(scope, unnamed) {
      const found: PersonEvents[] = await both(scope, (people, some) => people.counts(some, unnamed));
      return found.sort((a, b) => compareTexts(a.websiteId, b.websiteId));
    },
  };
}

function isInScope({ websiteIds }: PersonScope, websiteId: string | null): boolean {
  return websiteIds === null || (websiteId !== null && websiteIds.includes(websiteId));
}

function byVisitor(a: Visitor, b: Visitor): number {
  return compareTexts(a.anonymousId, b.anonymousId) || compareTexts(a.websiteId, b.websiteId);
}

/** As both engines do: by bytes, null first. */
function compareTexts(a: string | null, b: string | null): number {
  return Buffer.compare(Buffer.from(a ?? ''), Buffer.from(b ?? ''));
}
