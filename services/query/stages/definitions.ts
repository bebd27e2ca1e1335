/** The goals and funnels that a call names by their id; read before anything is planned. */
import type { Funnel } from '../../shared/model/funnel.ts';
import type { Goal } from '../../shared/model/goal.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { ParsedRequest } from './parse.ts';
import type { Refusal } from './query-plan.ts';
import type { Reach } from './resolve.ts';

/** Arguments that hold an id, by the collection of what they name. */
const COLLECTION_OF = {
  funnelId: 'funnels',
  goalId: 'goals',
  startGoalId: 'goals',
} as const;

/** What was found, by collection, organization and id. */
export type Definitions = ReadonlyMap<string, Goal | Funnel>;

/** Of a call that names none. */
export const NO_DEFINITIONS: Definitions = new Map();

const keyOf = (collection: string, organizationId: string, id: string) =>
  JSON.stringify([collection, organizationId, id]);

/** Each definition once. @throws the signal's reason, or ApiError SERVICE_UNAVAILABLE */
export async function readDefinitions(
  requests: readonly ParsedRequest[],
  reaches: readonly Reach[],
  { goals, funnels }: Pick<DocumentStore, 'goals' | 'funnels'>,
  signal: AbortSignal,
): Promise<Definitions> {
  const collections = { goals, funnels };
  const found = new Map<string, Goal | Funnel>();
  const looked = new Set<string>();
  for (const [at, { parameters }] of requests.entries()) {
    const organizationId = reaches[at]?.organizationId;
    for (const { arguments: given } of parameters) {
      for (const [name, collection] of Object.entries(COLLECTION_OF)) {
        const id = given[name];
        if (typeof id !== 'string' || organizationId === undefined) continue;
        const key = keyOf(collection, organizationId, id);
        if (looked.has(key)) continue;
        looked.add(key);
        signal.throwIfAborted();
        const document = await collections[collection].get(organizationId, id);
        if (document) found.set(key, document);
      }
    }
  }
  return found;
}

/** A goal of a website that the call reads; one of any other is as if it did not exist. */
export function goalOf(definitions: Definitions, reach: Reach, id: string): Goal | Refusal {
  const found = definitions.get(keyOf('goals', reach.organizationId, id)) as Goal | undefined;
  return found && reach.websiteIds.includes(found.websiteId) ? found : missing('goal', id);
}

/** As {@link goalOf}. */
export function funnelOf(definitions: Definitions, reach: Reach, id: string): Funnel | Refusal {
  const found = definitions.get(keyOf('funnels', reach.organizationId, id)) as Funnel | undefined;
  return found && reach.websiteIds.includes(found.websiteId) ? found : missing('funnel', id);
}

function missing(kind: string, id: string): Refusal {
  return { refused: `No website that is queried has the ${kind} ${JSON.stringify(id)}.` };
}
