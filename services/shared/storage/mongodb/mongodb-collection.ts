/** One collection of documents in MongoDB, checked by its schema on every way in and out. */
import type { Model, QueryFilter } from 'mongoose';
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
import { type DocumentAccess, isDuplicate } from './document-access.ts';
import { documentModel, LONG_READ_MS, MAJORITY_MS, READ_MS } from './document-models.ts';
import { type DocumentValues, documentValues, type RawDocument } from './document-values.ts';
import { violatedIndex } from './violated-index.ts';

const LARGEST_PAGE = 100;

type Filter = QueryFilter<RawDocument>;
type Sort = Readonly<Record<string, 1 | -1>>;

/** Does a write so that other processes learn of it. */
export type Counted = <R>(write: () => Promise<R>) => Promise<R>;

/** A {@link Collection} over one collection of MongoDB. Every write is of one document, which the server writes whole or not at all. */
export class MongodbCollection<T extends Stored, UniqueIndex extends string>
  implements Collection<T, UniqueIndex>
{
  readonly model: Model<RawDocument>;
  readonly #access: DocumentAccess;
  readonly #clock: Clock;
  readonly #name: string;
  readonly #schema: z.ZodType<T>;
  readonly #values: DocumentValues<T>;
  readonly #unique: Readonly<Record<string, readonly string[]>>;
  readonly #counted: Counted;

  /** `counted` surrounds each write, unless no verdict depends on the collection. */
  constructor(
    access: DocumentAccess,
    clock: Clock,
    declaration: CollectionDeclaration<T, UniqueIndex>,
    counted: Counted,
  ) {
    this.#access = access;
    this.#clock = clock;
    this.#name = declaration.name;
    this.#schema = declaration.schema;
    this.#values = documentValues(declaration.schema);
    this.#unique = declaration.unique;
    this.#counted = declaration.unremembered ? (write) => write() : counted;
    this.model = documentModel(access.connection, declaration.name, this.#values.fields);
  }

  async insert(document: NewDocument<T>): Promise<T> {
    const now = new Date(this.#clock.now()).toISOString();
    const raw = this.#toWrite({ ...document, version: 1, createdAt: now, updatedAt: now });
    await this.#write(() => this.model.create([raw]));
    return this.#fromRaw(raw);
  }

  async get(organizationId: string, id: string): Promise<T | null> {
    return this.#one({ _id: id, organizationId });
  }

  async findUnique(index: UniqueIndex | 'id', values: readonly string[]): Promise<T | null> {
    const fields = index === 'id' ? ['id'] : this.#unique[index];
    if (!fields || fields.length !== values.length) {
      throw new TypeError(`${this.#name} has no unique index ${index} over ${values.length} values`);
    }
    return this.#one(Object.fromEntries(fields.map((field, i) => [pathOf(field), values[i]])));
  }

  async list(organizationId: string, page: ListPage): Promise<T[]> {
    requireLimit(page.limit);
    const [behind, direction] = orderOf(page);
    const bound = page.after === undefined ? {} : { _id: { [behind]: page.after } };
    return this.#many({ organizationId, ...bound }, { _id: direction }, page.limit);
  }

  async sorted(organizationId: string, page: SortedPage<T>): Promise<T[]> {
    requireLimit(page.limit);
    const [behind, direction] = orderOf(page);
    const path = pathOf(page.sortBy);
    const conditions: Filter[] = [{ organizationId }];
    if (page.where) conditions.push({ [pathOf(page.where.field)]: { $in: [...page.where.values] } });
    if (page.after) {
      const [value, id] = page.after;
      const equal = { $and: [{ [path]: value }, { _id: { [behind]: id } }] };
      conditions.push({ $or: [{ [path]: { [behind]: value } }, equal] });
    }
    return this.#many({ $and: conditions }, { [path]: direction, _id: direction }, page.limit);
  }

  async all(organizationId: string): Promise<T[]> {
    return this.#many({ organizationId }, { _id: 1 });
  }

  /** Every document of every tenant by id ascending. */
  async everything(): Promise<T[]> {
    return this.#many({}, { _id: 1 });
  }

  /** Every document of any tenant whose `field` is `value`, the oldest first; `field` has an index. */
  async oldestFirst(field: keyof T & string, value: string): Promise<T[]> {
    return this.#many({ [pathOf(field)]: value }, { createdAt: 1, _id: 1 });
  }

  async update(organizationId: string, id: string, version: number, changes: Changes<T>): Promise<T | null> {
    const current = await this.get(organizationId, id);
    if (current?.version !== version) return null;
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const raw = this.#toWrite({
      ...current,
      ...given,
      id,
      organizationId,
      version: version + 1,
      createdAt: current.createdAt,
      updatedAt: new Date(this.#clock.now()).toISOString(),
    });
    // The version in the filter is the compare: another process may have written since the read above.
    const { matchedCount } = await this.#write(() =>
      this.model.replaceOne({ _id: id, organizationId, version }, raw).exec(),
    );
    return matchedCount > 0 ? this.#fromRaw(raw) : null;
  }

  async remove(organizationId: string, id: string): Promise<boolean> {
    const { deletedCount } = await this.#write(() =>
      this.model.deleteOne({ _id: id, organizationId }).exec(),
    );
    return deletedCount > 0;
  }

  /** What is about to be written, checked first: a document that cannot be read back is never stored. */
  #toWrite(document: Record<string, unknown>): RawDocument {
    return this.#values.toRaw(this.#schema.parse(document));
  }

  async #one(filter: Filter): Promise<T | null> {
    const raw = await this.#access.run(
      () => this.model.findOne(filter).maxTimeMS(READ_MS).lean<RawDocument>().exec(),
      READ_MS,
    );
    return raw === null ? null : this.#fromRaw(raw);
  }

  async #many(filter: Filter, sort: Sort, limit?: number): Promise<T[]> {
    const ms = limit === undefined ? LONG_READ_MS : READ_MS;
    const query = this.model
      .find(filter)
      .sort({ ...sort })
      .maxTimeMS(ms);
    const bounded = limit === undefined ? query : query.limit(limit);
    const found = await this.#access.run(() => bounded.lean<RawDocument[]>().exec(), ms);
    return found.map((raw) => this.#fromRaw(raw));
  }

  #fromRaw(raw: RawDocument): T {
    try {
      return this.#schema.parse(this.#values.fromRaw(raw));
    } catch (cause) {
      throw new ApiError('SERVICE_UNAVAILABLE', {
        cause: new Error(`the document ${raw._id} of ${this.#name} does not fit its schema`, { cause }),
      });
    }
  }

  async #write<R>(write: () => Promise<R>): Promise<R> {
    try {
      return await this.#counted(() => this.#access.run(write, MAJORITY_MS));
    } catch (fault) {
      throw isDuplicate(fault) ? new DuplicateError(violatedIndex(fault, this.#unique)) : fault;
    }
  }
}

/** Where a field of a document stands in MongoDB. */
function pathOf(field: string): string {
  return field === 'id' ? '_id' : field;
}

function orderOf({ order }: Pick<ListPage, 'order'>): ['$lt', -1] | ['$gt', 1] {
  return order === 'descending' ? ['$lt', -1] : ['$gt', 1];
}

function requireLimit(limit: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= LARGEST_PAGE) return;
  throw new RangeError(`limit must be 1..${LARGEST_PAGE}, got ${limit}`);
}
