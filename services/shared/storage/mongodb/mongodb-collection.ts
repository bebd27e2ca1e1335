/** One collection of documents in MongoDB, checked by its schema on every way in and out. */
import type { Model, mongo, QueryFilter } from 'mongoose';
import type { z } from 'zod';
import { ApiError } from '../../errors/api-error.ts';
import type { CollectionDeclaration } from '../../model/define-collection.ts';
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
import { conditionsOf, type Glimpse, lookThrough, valueAt } from '../look-through.ts';
import { type DocumentAccess, isDuplicate } from './document-access.ts';
import { documentModel, LONG_READ_MS, MAJORITY_MS, READ_MS } from './document-models.ts';
import { type DocumentValues, documentValues, type RawDocument } from './document-values.ts';
import { violatedIndex } from './violated-index.ts';

const LARGEST_PAGE = 100;

type Filter = QueryFilter<RawDocument>;
type Sort = Readonly<Record<string, 1 | -1>>;

/** Runs a write so that other processes learn of it. */
export type Counted = <R>(write: () => Promise<R>) => Promise<R>;

/**
 * A {@link Collection} over one collection of MongoDB. Every write changes one document, which the server writes whole or
 * not at all.
 */
export class MongodbCollection<T extends Stored, UniqueIndex extends string, SortedBy extends string>
  implements Collection<T, UniqueIndex, SortedBy>
{
  readonly model: Model<RawDocument>;
  readonly #access: DocumentAccess;
  readonly #clock: Clock;
  readonly #name: string;
  readonly #schema: z.ZodType<T>;
  readonly #values: DocumentValues<T>;
  readonly #unique: Readonly<Record<string, readonly string[]>>;
  readonly #lists: readonly (readonly string[])[];
  readonly #counted: Counted;
  /** Where a search reads: as the connection string says where it may lag, else on the primary. */
  readonly #searched: mongo.ReadPreferenceMode;
  /** The last insert within a bound in progress, by tenant. */
  readonly #inserting = new Map<string, Promise<unknown>>();

  /** `counted` surrounds each write, unless no verdict depends on the collection. */
  constructor(access: DocumentAccess, clock: Clock, declaration: CollectionDeclaration<T>, counted: Counted) {
    this.#access = access;
    this.#clock = clock;
    this.#name = declaration.name;
    this.#schema = declaration.schema;
    this.#values = documentValues(declaration.schema);
    this.#unique = declaration.unique ?? {};
    this.#lists = declaration.lists ?? [];
    this.#counted = declaration.told === undefined ? (write) => write() : counted;
    this.#searched = declaration.searchMayLag ? access.connection.getClient().readPreference.mode : 'primary';
    this.model = documentModel(access.connection, declaration.name, this.#values.fields);
  }

  async insert(document: NewDocument<T>): Promise<T> {
    const now = new Date(this.#clock.now()).toISOString();
    const raw = this.#toWrite({ ...document, version: 1, createdAt: now, updatedAt: now });
    await this.#write(() => this.model.create([raw]));
    return this.#fromRaw(raw);
  }

  /**
   * The server counts and writes separately: the document is inserted first, and removed again if its tenant then has
   * more than `most`. Inserts run one at a time in this process; two processes that reach for the last place at the same
   * moment may both be refused, and neither exceeds the bound.
   */
  async insertWithin(document: NewDocument<T>, most: number): Promise<T | null> {
    const { organizationId } = document as unknown as Stored;
    const before = this.#inserting.get(organizationId) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(() => this.#insertWithin(document, organizationId, most));
    this.#inserting.set(organizationId, mine);
    try {
      return await mine;
    } finally {
      if (this.#inserting.get(organizationId) === mine) this.#inserting.delete(organizationId);
    }
  }

  async #insertWithin(document: NewDocument<T>, organizationId: string, most: number): Promise<T | null> {
    if ((await this.#countOf(organizationId, most)) >= most) return null;
    const stored = await this.insert(document);
    if ((await this.#countOf(organizationId, most + 1)) <= most) return stored;
    await this.remove(organizationId, stored.id);
    return null;
  }

  /** How many documents the tenant has, counted up to `most`. */
  async #countOf(organizationId: string, most: number): Promise<number> {
    return this.#access.run(
      () => this.model.countDocuments({ organizationId }).limit(most).maxTimeMS(READ_MS).exec(),
      READ_MS,
    );
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

  async search(organizationId: string, search: Search<T, SortedBy>): Promise<Found<T>> {
    const { within, asked } = conditionsOf(this.#lists, search);
    const [behind, direction] = orderOf(search);
    const path = pathOf(search.sortBy);
    const sort: Sort = { [path]: direction, _id: direction };
    const filterBehind = (after: Position | undefined): Filter => {
      const bounds: Filter = { organizationId, ...(within ? { [pathOf(within.field)]: within.value } : {}) };
      if (after === undefined) return bounds;
      const [value, id] = after;
      if (within?.field === search.sortBy || search.sortBy === 'id')
        return { ...bounds, _id: { [behind]: id } };
      const equal = { [path]: value, _id: { [behind]: id } };
      // The first of them is what restricts the index.
      return {
        $and: [
          bounds,
          { [path]: { [`${behind}e`]: value } },
          { $or: [{ [path]: { [behind]: value } }, equal] },
        ],
      };
    };
    const askedPaths = asked.map(({ field }) => pathOf(field));
    const textPaths = (search.text?.fields ?? []).map(pathOf);
    const shown = [path, ...askedPaths, ...textPaths];
    return lookThrough<T>(search, asked, {
      documents: (after, limit) => this.#many(filterBehind(after), sort, limit, this.#searched),
      glimpses: async (after, limit) => {
        const found = await this.#access.run(
          () =>
            this.model
              .find(filterBehind(after), Object.fromEntries(shown.map((field) => [field, 1])))
              .sort({ ...sort })
              .limit(limit)
              .read(this.#searched)
              .maxTimeMS(READ_MS)
              .lean<RawDocument[]>()
              .exec(),
          READ_MS,
        );
        return found.map(
          (raw): Glimpse => ({
            position: [String(raw[path]), raw._id],
            values: askedPaths.map((asking) => raw[asking]),
            texts: textPaths.map((text) => valueAt(raw, text)),
          }),
        );
      },
      byIds: (ids) =>
        this.#many({ organizationId, _id: { $in: [...ids] } }, { _id: 1 }, ids.length, this.#searched),
    });
  }

  async all(organizationId: string): Promise<T[]> {
    return this.#many({ organizationId }, { _id: 1 });
  }

  /** Every document of every tenant by id ascending. */
  async everything(): Promise<T[]> {
    return this.#many({}, { _id: 1 });
  }

  /** Every document of any tenant whose `field` is `value`, oldest first; `field` has an index. */
  async oldestFirst(field: keyof T & string, value: string): Promise<T[]> {
    return this.#many({ [pathOf(field)]: value }, { createdAt: 1, _id: 1 });
  }

  /** Every document of a tenant whose `field` is `value`, by `order` ascending; the two fields begin a unique index. */
  async having(
    organizationId: string,
    field: keyof T & string,
    value: string,
    order: keyof T & string,
  ): Promise<T[]> {
    return this.#many({ [pathOf(field)]: value, organizationId }, { [pathOf(order)]: 1 });
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
    // The version in the filter makes it a compare-and-set: another process may have written since the read above.
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

  /** The document to write, checked first: a document that cannot be read back is never stored. */
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

  async #many(
    filter: Filter,
    sort: Sort,
    limit?: number,
    read: mongo.ReadPreferenceMode = 'primary',
  ): Promise<T[]> {
    const ms = limit === undefined ? LONG_READ_MS : READ_MS;
    const query = this.model
      .find(filter)
      .sort({ ...sort })
      .read(read)
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

/** The name of a document's field in MongoDB. */
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
