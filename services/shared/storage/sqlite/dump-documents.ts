/** Reads every document out of a file that no process has open, page by page, for a copy of the installation. */

import type { CollectionName } from '../../model/collection-types.ts';
import { COLLECTIONS } from '../../model/collections.ts';
import type { Stored } from '../../model/stored.ts';
import { openExclusively, readVersion, SCHEMA_VERSION } from './open-database.ts';

/** Documents per page. */
const PAGE = 500;
/** How many faulty documents are named. */
const MOST_NAMED = 20;

export interface DocumentDump {
  /**
   * The documents of every tenant by id ascending, each parsed by its schema.
   * @throws Error at the end, naming the documents that do not fit their schema
   */
  pages(collection: CollectionName): Generator<Stored[]>;
  /** Releases the file. */
  close(): void;
}

/**
 * Opens the file, which must exist, for this process alone.
 * @throws Error while another process has it open, or when it is of another schema version
 */
export function openDocumentDump(path: string): DocumentDump {
  const database = openExclusively(path);
  const version = readVersion(database);
  if (version !== SCHEMA_VERSION) {
    database.close();
    throw new Error(
      `The document store ${path} has schema version ${version}, this version of Tidegate reads ${SCHEMA_VERSION}: ` +
        (version < SCHEMA_VERSION
          ? 'run tidegate migrate without MONGODB_URI first.'
          : 'use the newer one that wrote it.'),
    );
  }
  return {
    *pages(collection) {
      const { name, schema } = COLLECTIONS[collection];
      const page = database.prepare(
        `SELECT id, document FROM ${name} WHERE id > ? ORDER BY id LIMIT ${PAGE}`,
      );
      const faulty: string[] = [];
      for (let after = ''; ; ) {
        const rows = page.all(after) as { id: string; document: string }[];
        const last = rows.at(-1);
        if (last === undefined) break;
        after = last.id;
        const parsed = rows.map(({ id, document }) => ({
          id,
          result: schema.safeParse(JSON.parse(document)),
        }));
        faulty.push(...parsed.filter(({ result }) => !result.success).map(({ id }) => id));
        yield parsed.flatMap(({ result }) => (result.success ? [result.data] : []));
      }
      if (faulty.length > 0) {
        const further = faulty.length > MOST_NAMED ? ` and ${faulty.length - MOST_NAMED} more` : '';
        throw new Error(
          `of ${name} in ${path} these documents do not fit their schema: ${faulty.slice(0, MOST_NAMED).join(', ')}${further}`,
        );
      }
    },
    close: () => database.close(),
  };
}
