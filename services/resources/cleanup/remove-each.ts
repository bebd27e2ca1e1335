/** Removes documents of an organization one by one, so that requests run in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ListPage } from '../../shared/ports/document-store.ts';

/** Documents per read: a few milliseconds. */
const READ_AT_A_TIME = 100;

/** The part of a collection that is needed here. */
export interface Removable<T> {
  list(organizationId: string, page: ListPage): Promise<T[]>;
  remove(organizationId: string, id: string): Promise<boolean>;
}

/** Whose documents, and which of them. */
export interface Removal<T> {
  readonly organizationId: string;
  isMeant(document: T): boolean;
  /** Checked between two steps. */
  readonly signal: AbortSignal;
}

/**
 * Removes the matching documents, each found once by ascending identifier; returns how many there were.
 * @throws the signal's reason
 */
export async function removeEach<T extends { readonly id: string }>(
  collection: Removable<T>,
  { organizationId, isMeant, signal }: Removal<NoInfer<T>>,
): Promise<number> {
  let removed = 0;
  let after: string | undefined;
  for (;;) {
    const page = await collection.list(organizationId, {
      limit: READ_AT_A_TIME,
      ...(after === undefined ? {} : { after }),
    });
    for (const document of page.filter(isMeant)) {
      if (await collection.remove(organizationId, document.id)) removed++;
      // Each removal is a commit that waits for the disk.
      await nextTurn();
      signal.throwIfAborted();
    }
    after = page.at(-1)?.id;
    if (page.length < READ_AT_A_TIME || after === undefined) return removed;
    await nextTurn();
    signal.throwIfAborted();
  }
}
