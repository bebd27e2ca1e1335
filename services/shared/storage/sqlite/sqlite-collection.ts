/** One collection of documents in SQLite: JSON text beside its key columns, checked by its schema on every way in and out. */
import type { z } from 'zod';
import { ApiError } from '../../errors/api-error.ts';
import type { Stored } from '../../model/stored.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  type Changes,
  type Collection,
  DuplicateError,
  type ListPage,
  type NewDocument,
  type SortedPage,
} from '../../ports/document-store.ts';
import type { CollectionDeclaration } from '../collections.ts';
import { fieldExpression, indexName } from './open-database.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

const LARGEST_PAGE = 100;

/** A {@link Collection} over one table. Reads and writes are synchronous underneath; faults reject the promise. */
export class SqliteCollection<T extends Stored, UniqueIndex extends string>
  implements Collection<T, UniqueIndex>
{
  readonly #connection: SqliteConnection;
  readonly #clock: Clock;
  readonly #table: string;
  readonly #schema: z.ZodType<T>;
  readonly #unique: Readonly<Record<string, readonly string[]>>;
  readonly #counted: (rows: number) => void;

  /** `counted` is told how often each write raised the change counter. */
  constructor(
    connection: SqliteConnection,
    clock: Clock,
    declaration: CollectionDeclaration<T, UniqueIndex>,
    counted: (rows: number) => void,
  ) {
    this.#connection = connection;
    this.#clock = clock;
    this.#table = declaration.name;
    this.#schema = declaration.schema;
    this.#unique = declaration.unique;
    this.#counted = declaration.unremembered ? () => {} : counted;
  }

  async insert(document: NewDocument<T>): Promise<T> {
    const now = new Date(this.#clock.now()).toISOString();
    const stored = this.#toWrite({ ...document, version: 1, createdAt: now, updatedAt: now });
    this.#write(`INSERT INTO ${this.#table} (id, organization_id, version, document) VALUES (?, ?, ?, ?)`, [
      stored.id,
      stored.organizationId,
      stored.version,
      JSON.stringify(stored),
    ]);
    return stored;
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

  async sorted(organizationId: string, page: SortedPage<T>): Promise<T[]> {
    requireLimit(page.limit);
    const [behind, order] = page.order === 'descending' ? ['<', 'DESC'] : ['>', 'ASC'];
    const value = fieldExpression(page.sortBy);
    const bound = page.after === undefined ? '' : `AND (${value}, id) ${behind} (?, ?)`;
    const among = page.where?.values ?? [];
    const chosen = page.where
      ? `AND ${fieldExpression(page.where.field)} IN (SELECT value FROM json_each(?))`
      : '';
    return this.#many(
      `organization_id = ? ${bound} ${chosen} ORDER BY ${value} ${order}, id ${order} LIMIT ?`,
      [organizationId, ...(page.after ?? []), ...(page.where ? [JSON.stringify(among)] : []), page.limit],
    );
  }

  async all(organizationId: string): Promise<T[]> {
    return this.#many('organization_id = ? ORDER BY id', [organizationId]);
  }

  /** Every document of every tenant by id ascending. */
  async everything(): Promise<T[]> {
    return this.#many('TRUE ORDER BY id', []);
  }

  /** Every document of any tenant whose `field` is `value`, the oldest first; `field` has an index. */
  async oldestFirst(field: keyof T & string, value: string): Promise<T[]> {
    const order = `${fieldExpression('createdAt')}, id`;
    return this.#many(`${fieldExpression(field)} = ? ORDER BY ${order}`, [value]);
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
    // The version in the condition is the compare: another process may have written since the read above.
    const changed = this.#write(
      `UPDATE ${this.#table} SET version = ?, document = ? WHERE id = ? AND organization_id = ? AND version = ?`,
      [stored.version, JSON.stringify(stored), id, organizationId, version],
    );
    return changed > 0 ? stored : null;
  }

  async remove(organizationId: string, id: string): Promise<boolean> {
    const sql = `DELETE FROM ${this.#table} WHERE id = ? AND organization_id = ?`;
    return this.#write(sql, [id, organizationId]) > 0;
  }

  /** What is about to be written, checked first: a document that cannot be read back is never stored. */
  #toWrite(document: Record<string, unknown>): T {
    return this.#schema.parse(document);
  }

  #one(condition: string, values: readonly (string | number)[]): T | null {
    const rows = this.#many(condition, values);
    return rows[0] ?? null;
  }

  #many(condition: string, values: readonly (string | number)[]): T[] {
    const rows = this.#connection.all(`SELECT id, document FROM ${this.#table} WHERE ${condition}`, values);
    return rows.map((row) => this.#fromRow(row as { id: string; document: string }));
  }

  #fromRow(row: { id: string; document: string }): T {
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

function requireLimit(limit: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= LARGEST_PAGE) return;
  throw new RangeError(`limit must be 1..${LARGEST_PAGE}, got ${limit}`);
}
