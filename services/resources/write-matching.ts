/** Changes one document by compare-and-set, honouring the request's If-Match if present (RFC 9110, 13.1.1). */
import { ApiError } from '../shared/errors/api-error.ts';
import type { Stored } from '../shared/model/stored.ts';
import type { Changes, Collection } from '../shared/ports/document-store.ts';

/** How often a change without If-Match is retried when another writer was faster. */
const MAX_TRIES = 5;

/** The version of a document as its `ETag`. */
export function etagOf(document: Stored): string {
  return `"${document.version}"`;
}

/** Refuses with PRECONDITION_FAILED unless `ifMatch` is absent, `*`, or names the version of `document`. */
export function requireMatch(ifMatch: string | undefined, document: Stored): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const wanted = ifMatch.split(',').map((tag) => tag.trim());
  if (wanted.includes(etagOf(document))) return;
  throw new ApiError('PRECONDITION_FAILED', {
    text: `If-Match names ${ifMatch}; the current version is ${etagOf(document)}.`,
  });
}

/** The one value of the header `if-match`. */
export function ifMatchOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | undefined {
  const header = headers['if-match'];
  return Array.isArray(header) ? header.join(', ') : header;
}

export interface MatchingWrite<T extends Stored> {
  readonly organizationId: string;
  readonly id: string;
  readonly ifMatch?: string | undefined;
  /** What it is called in errors, such as `API key`. */
  readonly kind: string;
  /**
   * Returns the changes; null leaves the document as it is. Called again with the newer document when another writer was
   * faster.
   */
  changesOf(existing: T): Changes<T> | null;
}

/**
 * The document after the change, and whether it changed.
 * @throws ApiError NOT_FOUND, PRECONDITION_FAILED, CONFLICT when others keep being faster, and what `changesOf` throws
 */
export async function writeMatching<T extends Stored>(
  collection: Pick<Collection<T>, 'get' | 'update'>,
  { organizationId, id, ifMatch, kind, changesOf }: MatchingWrite<T>,
): Promise<{ readonly document: T; readonly changed: boolean }> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const existing = await collection.get(organizationId, id);
    if (!existing) throw notFound(kind, id);
    requireMatch(ifMatch, existing);
    const changes = changesOf(existing);
    if (changes === null) return { document: existing, changed: false };
    const document = await collection.update(organizationId, id, existing.version, changes);
    if (document) return { document, changed: true };
  }
  throw new ApiError('CONFLICT', {
    text: `The ${kind} "${id}" is being changed by somebody else; try again.`,
  });
}

/** Unknown documents and those of another organization look alike. */
export function notFound(kind: string, id: string): ApiError {
  return new ApiError('NOT_FOUND', { text: `There is no ${kind} "${id}".` });
}
