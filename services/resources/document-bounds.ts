/** How many documents of a kind an organization may have: a bound on what lists, searches and caches have to go through. */
import { ApiError } from '../shared/errors/api-error.ts';
import type { Stored } from '../shared/model/stored.ts';
import type { PlansFile } from '../shared/plans/plans.ts';
import type { Collection, DocumentStore, NewDocument } from '../shared/ports/document-store.ts';

/** The source of the bounds in plans.yml. */
export interface BoundPorts {
  readonly documents: DocumentStore;
  /** The plans in force. */
  readonly plans: () => PlansFile;
}

/** The kinds whose bound an operator sets, as plans.yml names them. */
export type BoundedKind = keyof PlansFile['documents'];

/** The bound of kinds that no plan limits; no known organization comes near it. */
export const FIXED_BOUNDS = {
  'API keys': 10_000,
  integrations: 1_000,
  'members and invitations': 1_000,
} as const;

/** The organization's bound: its own number of those kinds that have one, else that of plans.yml. Lowering it removes nothing. */
export async function boundOf(
  { documents, plans }: BoundPorts,
  organizationId: string,
  kind: BoundedKind,
): Promise<number> {
  const organization = await documents.organizations.get(organizationId, organizationId);
  const own: Partial<Record<BoundedKind, number>> = organization?.limits ?? {};
  return own[kind] ?? plans().documents[kind];
}

/** The document as stored. @throws ApiError CONFLICT that names the bound; DuplicateError */
export async function insertBounded<T extends Stored>(
  collection: Pick<Collection<T>, 'insertWithin'>,
  document: NewDocument<T>,
  { kind, most }: { readonly kind: string; readonly most: number },
): Promise<T> {
  const stored = await collection.insertWithin(document, most);
  if (stored === null) throw boundReached(kind, most);
  return stored;
}

export function boundReached(kind: string, most: number): ApiError {
  return new ApiError('CONFLICT', { text: `The organization has reached its bound of ${most} ${kind}.` });
}
