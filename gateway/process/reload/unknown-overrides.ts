/** Finds numbers of plans.yml for organizations that do not exist: they bind nobody, mostly for a slip in an identifier. */
import type { Logger } from 'pino';
import type { PlansFile } from '../../../services/shared/plans/plans.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';

/** The identifiers, each once, in the order of the file; the store is asked only where there are overrides. */
export async function findUnknownOrganizations(
  documents: Pick<DocumentStore, 'allOrganizations'>,
  { overrides }: Pick<PlansFile, 'overrides'>,
): Promise<string[]> {
  const named = new Set(overrides.flatMap(({ organization }) => organization ?? []));
  if (named.size === 0) return [];
  for (const { id } of await documents.allOrganizations()) named.delete(id);
  return [...named];
}

/** A line for each. They are no reason not to start: the organization may come later. */
export function warnOfUnknownOrganizations(ids: readonly string[], logger: Pick<Logger, 'warn'>): void {
  for (const id of ids) {
    logger.warn(`overrides of plans.yml name the organization ${id}, which does not exist: they bind nobody`);
  }
}
