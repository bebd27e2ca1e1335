/** The goals and funnels that a call names by their id, and all goals of a website that it counts; read before anything is planned. */
import type { Funnel } from '../../shared/model/funnel.ts';
import type { Goal } from '../../shared/model/goal.ts';
import type { DocumentStore, Position } from '../../shared/ports/document-store.ts';
import type { Catalogue } from './known-names.ts';
import type { ParsedRequest } from './parse.ts';
import type { Refusal } from './query-plan.ts';
import type { Reach } from './resolve.ts';

/** Arguments that hold an id, by the collection of what they name. */
const COLLECTION_OF = {
  funnelId: 'funnels',
  goalId: 'goals',
  startGoalId: 'goals',
} as const;

/** How many goals of a website a call reads. */
export const MOST_GOALS_READ = 1_000;
const READ_AT_A_TIME = 100;

export interface Definitions {
  /** What was found, by collection, organization and id. */
  readonly named: ReadonlyMap<string, Goal | Funnel>;
  /** The goals of websites in their order, by organization and website. */
  readonly goals: ReadonlyMap<string, readonly Goal[]>;
}

/** Of a call that names none. */
export const NO_DEFINITIONS: Definitions = { named: new Map(), goals: new Map() };

const keyOf = (collection: string, organizationId: string, id: string) =>
  JSON.stringify([collection, organizationId, id]);

const websiteKey = (organizationId: string, websiteId: string) => JSON.stringify([organizationId, websiteId]);

type GoalStore = Pick<DocumentStore, 'goals' | 'funnels'>;

/** Each definition once. @throws the signal's reason, or ApiError SERVICE_UNAVAILABLE */
export async function readDefinitions(
  requests: readonly ParsedRequest[],
  reaches: readonly Reach[],
  catalogue: Catalogue,
  { documents, signal }: { readonly documents: GoalStore; readonly signal: AbortSignal },
): Promise<Definitions> {
  const found = new Map<string, Goal | Funnel>();
  const ofWebsites = new Map<string, readonly Goal[]>();
  const looked = new Set<string>();
  for (const [at, { parameters }] of requests.entries()) {
    const { organizationId, websiteIds = [] } = reaches[at] ?? {};
    for (const { name: dataset, arguments: given } of parameters) {
      const [websiteId] = websiteIds;
      const countsAll = catalogue.get(dataset)?.sequence?.kind === 'goals' && given.goalId === undefined;
      if (countsAll && organizationId !== undefined && websiteId !== undefined && websiteIds.length === 1) {
        const key = websiteKey(organizationId, websiteId);
        const known = ofWebsites.get(key);
        if (!known) ofWebsites.set(key, await readGoals(documents, { organizationId, websiteId, signal }));
      }
      for (const [name, collection] of Object.entries(COLLECTION_OF)) {
        const id = given[name];
        if (typeof id !== 'string' || organizationId === undefined) continue;
        const key = keyOf(collection, organizationId, id);
        if (looked.has(key)) continue;
        looked.add(key);
        signal.throwIfAborted();
        const document = await documents[collection].get(organizationId, id);
        if (document) found.set(key, document);
      }
    }
  }
  return { named: found, goals: ofWebsites };
}

/** The goals of a website in the order of their positions, those of one position as they were created. */
async function readGoals(
  { goals }: GoalStore,
  of: { readonly organizationId: string; readonly websiteId: string; readonly signal: AbortSignal },
): Promise<readonly Goal[]> {
  const all: Goal[] = [];
  let after: Position | undefined;
  while (all.length < MOST_GOALS_READ) {
    of.signal.throwIfAborted();
    const { documents, next } = await goals.search(of.organizationId, {
      ...{ limit: READ_AT_A_TIME, sortBy: 'position' },
      where: [{ field: 'websiteId', values: [of.websiteId] }],
      ...(after && { after }),
    });
    all.push(...documents);
    if (next === null) break;
    after = next;
  }
  return all;
}

/** The goals of a website that the call counts all of. */
export function goalsOf(
  definitions: Definitions,
  { organizationId }: Reach,
  websiteId: string,
): readonly Goal[] {
  return definitions.goals.get(websiteKey(organizationId, websiteId)) ?? [];
}

/** A goal of a website that the call reads; one of any other is as if it did not exist. */
export function goalOf(definitions: Definitions, reach: Reach, id: string): Goal | Refusal {
  const found = definitions.named.get(keyOf('goals', reach.organizationId, id)) as Goal | undefined;
  return found && reach.websiteIds.includes(found.websiteId) ? found : missing('goal', id);
}

/** As {@link goalOf}. */
export function funnelOf(definitions: Definitions, reach: Reach, id: string): Funnel | Refusal {
  const found = definitions.named.get(keyOf('funnels', reach.organizationId, id)) as Funnel | undefined;
  return found && reach.websiteIds.includes(found.websiteId) ? found : missing('funnel', id);
}

function missing(kind: string, id: string): Refusal {
  return { refused: `No website that is queried has the ${kind} ${JSON.stringify(id)}.` };
}
