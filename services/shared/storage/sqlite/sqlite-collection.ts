/** One collection of documents in SQLite: JSON text next to its key columns, checked by its schema in both directions. */
import type { z } from 'zod';
import { ApiError } from '../../errors/api-error.ts';
import { type CollectionDeclaration, listIndexName } from '../../model/define-collection.ts';
import type { Stored } from '../../model/stored.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  type Changes,
  type Collection,
  DuplicateError,
  type Found,
  type ListPage,
  type NewDocument,
  type Position,
  type Search,
} from '../../ports/document-store.ts';
import { wellFormed } from '../../text/clean-text.ts';
import { conditionsOf, type Glimpse, lookThrough, positionOf } from '../look-through.ts';
import { fieldExpression, indexName } from './open-database.ts';
import { type ReadTurns, SliceSize } from './read-turns.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

const LARGEST_PAGE = 100;

/**
 * A {@link Collection} over one table. Reads and writes are synchronous underneath, long reads in slices; faults reject
 * the promise.
 */
export class SqliteCollection<T extends Stored, UniqueIndex extends string, SortedBy extends string>
  implements Collection<T, UniqueIndex, SortedBy>
{
  readonly #connection: SqliteConnection;
  readonly #turns: ReadTurns;
  readonly #clock: Clock;
  readonly #table: string;
  readonly #schema: z.ZodType<T>;
  readonly #unique: Readonly<Record<string, readonly string[]>>;
  readonly #lists: readonly (readonly string[])[];
  readonly #counted: (rows: number) => void;

  /** `turns` are shared by all collections of the process; `counted` learns how far each write raised the change counter. */
  constructor(
    { connection, turns, clock }: { connection: SqliteConnection; turns: ReadTurns; clock: Clock },
    declaration: CollectionDeclaration<T>,
    counted: (rows: number) => void,
  ) {
    this.#connection = connection;
    this.#turns = turns;
    this.#clock = clock;
    this.#table = declaration.name;
    this.#schema = declaration.schema;
    this.#unique = declaration.unique ?? {};
    this.#lists = declaration.lists ?? [];
    this.#counted = declaration.told === undefined ? () => {} : counted;
  }

  async insert(document: NewDocument<T>): Promise<T> {
    const stored = this.#newDocument(document);
    this.#write(
      `INSERT INTO ${this.#table} (id, organization_id, version, document) VALUES (?, ?, ?, ?)`,
      valuesOf(stored),
    );
    return stored;
  }

  /** One statement, which holds the file's lock from its start: nobody writes between count and insert. */
  async insertWithin(document: NewDocument<T>, most: number): Promise<T | null> {
    const stored = this.#newDocument(document);
    const inserted = this.#write(
      `INSERT INTO ${this.#table} (id, organization_id, version, document) SELECT ?, ?, ?, ?
       WHERE (SELECT count(*) FROM ${this.#table} WHERE organization_id = ?) < ?`,
      [...valuesOf(stored), stored.organizationId, most],
    );
    return inserted > 0 ? stored : null;
  }

  async get(organizationId: string, id: string): Promise<T | null> {
    return this.#one('id = ? AND organization_id = ?', [id, organizationId]);
  }

  async findUnique(index: UniqueIndex | 'id', values: readonly string[]): Promise<T | null> {
    const fields = index === 'id' ? ['id'] : this.#unique[index];
    if (!fields || fields.length !== values.length) {
      throw new TypeError(`${this.#table} has no unique index ${index} over ${values.length} values`);
    }
    return this.#one(fields.map((field) => `${fieldExpression(field)} = ?`).join(' AND '), values);
  }

  async list(organizationId: string, page: ListPage): Promise<T[]> {
    requireLimit(page.limit);
    const [behind, order] = page.order === 'descending' ? ['<', 'DESC'] : ['>', 'ASC'];
    const bound = page.after === undefined ? '' : `AND id ${behind} ?`;
    const after = page.after === undefined ? [] : [page.after];
    return this.#many(`organization_id = ? ${bound} ORDER BY id ${order} LIMIT ?`, [
      organizationId,
      ...after,
      page.limit,
    ]);
  }

  async search(organizationId: string, search: Search<T, SortedBy>): Promise<Found<T>> {
    const { within, asked } = conditionsOf(this.#lists, search);
    // Within a single value the order is that of ids.
    const isById = search.sortBy === 'id' || within?.field === search.sortBy;
    const ordering = isById ? [] : [search.sortBy];
    const fields = [...(within ? [within.field] : []), ...ordering];
    const index =
      fields.length === 0 ? `${this.#table}_by_organization` : indexName(this.#table, listIndexName(fields));
    const value = fieldExpression(search.sortBy);
    const [behind, order] = search.order === 'descending' ? ['<', 'DESC'] : ['>', 'ASC'];
    const inside = within ? `AND ${fieldExpression(within.field)} = ?2` : '';
    // Stated twice: a comparison of pairs does not restrict an index over an expression, which would be read whole.
    const isBehind = isById
      ? `AND id ${behind} ?4`
      : `AND ${value} ${behind}= ?3 AND (${value} ${behind} ?3 OR id ${behind} ?4)`;
    const ordered = isById ? `id ${order}` : `${value} ${order}, id ${order}`;
    const size = new SliceSize();
    /** A slice of the list, found and ordered by its index alone. */
    const rows = async <R>(
      columns: string,
      after: Position | undefined,
      limit: number,
      toResult: (row: unknown) => R,
    ): Promise<R[]> => {
      await this.#turns.take(organizationId);
      const sql = `SELECT ${columns} FROM ${this.#table} INDEXED BY ${index} WHERE organization_id = ?1 ${inside} ${after ? isBehind : ''} ORDER BY ${ordered} LIMIT ?5`;
      const values = [organizationId, within?.value ?? '', ...(after ?? ['', '']), limit];
      return size.measure(() => this.#connection.all(sql, values).map(toResult));
    };
    const askedFields = asked.map(({ field }) => field);
    const glimpse = `json_array(id, ${value}, ${arrayOf(askedFields)}, ${arrayOf(search.text?.fields ?? [])})`;
    return lookThrough<T>(search, asked, {
      slice: () => size.documents,
      documents: (after, limit) =>
        inSlices(size, limit, (last, wanted) => {
          const place = last ? positionOf(last, search.sortBy) : after;
          return rows('id, document', place, wanted, (row) => this.#fromRow(row as DocumentRow));
        }),
      glimpses: (after, limit) =>
        rows(`${glimpse} AS glimpse`, after, limit, (row) => toGlimpse(row as GlimpseRow)),
      byIds: async (ids) => {
        await this.#turns.take(organizationId);
        const condition = 'organization_id = ? AND id IN (SELECT value FROM json_each(?))';
        return size.measure(() => this.#many(condition, [organizationId, JSON.stringify(ids)]));
      },
    });
  }

  /** In slices: a document that is written meanwhile may or may not be included. */
  async all(organizationId: string): Promise<T[]> {
    const size = new SliceSize();
    return inSlices(size, Number.POSITIVE_INFINITY, async (last, wanted) => {
      await this.#turns.take(organizationId);
      const condition = 'organization_id = ? AND id > ? ORDER BY id LIMIT ?';
      return size.measure(() => this.#many(condition, [organizationId, last?.id ?? '', wanted]));
    });
  }

  /** Every document of every tenant by id ascending. */
  async everything(): Promise<T[]> {
    return this.#many('TRUE ORDER BY id', []);
  }

  /** Every document of any tenant whose `field` is `value`, oldest first; `field` has an index. */
  async oldestFirst(field: keyof T & string, value: string): Promise<T[]> {
    const order = `${fieldExpression('createdAt')}, id`;
    return this.#many(`${fieldExpression(field)} = ? ORDER BY ${order}`, [value]);
  }

  /** Every document of a tenant whose `field` is `value`, by `order` ascending; the two fields begin a unique index. */
  async having(
    organizationId: string,
    field: keyof T & string,
    value: string,
    order: keyof T & string,
  ): Promise<T[]> {
    // The plus keeps SQLite from using the tenant's index, which would make it sort all of the tenant's documents.
    return this.#many(
      `${fieldExpression(field)} = ? AND +organization_id = ? ORDER BY ${fieldExpression(order)}`,
      [value, organizationId],
    );
  }

  async update(organizationId: string, id: string, version: number, changes: Changes<T>): Promise<T | null> {
    const current = await this.get(organizationId, id);
    if (current?.version !== version) return null;
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const stored = this.#toWrite({
      ...current,
      ...given,
      id,
      organizationId,
      version: version + 1,
      createdAt: current.createdAt,
      updatedAt: new Date(this.#clock.now()).toISOString(),
    });
    // The version in the condition makes it a compare-and-set: another process may have written since the read above.
    const changed = this.#write(
      `UPDATE ${this.#table} SET version = ?, document = ? WHERE id = ? AND organization_id = ? AND version = ?`,
      [stored.version, JSON.stringify(stored), id, organizationId, version],
    );
    return changed > 0 ? stored : null;
  }

  async remove(organizationId: string, id: string): Promise<boolean> {
    const sql = `DELETE FROM ${this.#table} WHERE id = ? AND organization_id = ?`;
    const isRemoved = this.#write(sql, [id, organizationId]) > 0;
    if (isRemoved) this.#connection.emptyLogSoon();
    return isRemoved;
  }

  #newDocument(document: NewDocument<T>): T {
    const now = new Date(this.#clock.now()).toISOString();
    return this.#toWrite({ ...document, version: 1, createdAt: now, updatedAt: now });
  }

  /** The document to write, checked first: a document that cannot be read back is never stored. */
  #toWrite(document: Record<string, unknown>): T {
    return this.#schema.parse(wellFormed(document));
  }

  #one(condition: string, values: readonly (string | number)[]): T | null {
    const rows = this.#many(condition, values);
    return rows[0] ?? null;
  }

  #many(condition: string, values: readonly (string | number)[]): T[] {
    const rows = this.#connection.all(`SELECT id, document FROM ${this.#table} WHERE ${condition}`, values);
    return rows.map((row) => this.#fromRow(row as DocumentRow));
  }

  #fromRow(row: DocumentRow): T {
    const result = this.#schema.safeParse(JSON.parse(row.document));
    if (result.success) return result.data;
    throw new ApiError('SERVICE_UNAVAILABLE', {
      cause: new Error(`the document ${row.id} of ${this.#table} does not fit its schema`, {
        cause: result.error,
      }),
    });
  }

  #write(sql: string, values: readonly (string | number)[]): number {
    const rows = this.#connection.run(sql, values, (violated) => {
      if (violated === `${this.#table}.id`) return new DuplicateError('id');
      const names = Object.keys(this.#unique);
      const name = names.find((index) => violated === `index '${indexName(this.#table, index)}'`);
      return name === undefined ? null : new DuplicateError(name);
    });
    this.#counted(rows);
    return rows;
  }
}

/** At most `limit` documents, read in slices, each after the last document of the one before. */
async function inSlices<T>(
  size: SliceSize,
  limit: number,
  read: (last: T | undefined, wanted: number) => Promise<T[]>,
): Promise<T[]> {
  const found: T[] = [];
  while (found.length < limit) {
    const wanted = Math.min(size.documents, limit - found.length);
    const slice = await read(found.at(-1), wanted);
    found.push(...slice);
    if (slice.length < wanted) break;
  }
  return found;
}

interface DocumentRow {
  readonly id: string;
  readonly document: string;
}

interface GlimpseRow {
  /** JSON of id, sort value, values and texts. */
  readonly glimpse: string;
}

function toGlimpse({ glimpse }: GlimpseRow): Glimpse {
  const [id, value, values, texts] = JSON.parse(glimpse) as [string, string, unknown[], unknown[]];
  return { position: [value, id], values, texts };
}

/** The fields of a document as one JSON array; an absent field is null. */
function arrayOf(fields: readonly string[]): string {
  // With a single path the value would come without the array.
  if (fields.length === 0) return 'json_array()';
  const paths = [...fields, ...(fields.length === 1 ? fields : [])];
  return `json_extract(document, ${paths.map((field) => `'$.${field}'`).join(', ')})`;
}

function valuesOf(stored: Stored): [string, string, number, string] {
  return [stored.id, stored.organizationId, stored.version, JSON.stringify(stored)];
}

function requireLimit(limit: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= LARGEST_PAGE) return;
  throw new RangeError(`limit must be 1..${LARGEST_PAGE}, got ${limit}`);
}
