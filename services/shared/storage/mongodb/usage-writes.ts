/** The document store's writes of many documents: last uses of keys, and the usage of organizations. */
import { randomBytes } from 'node:crypto';
import type { Model } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';
import type { ApiKeyUse } from '../../model/api-key-usage.ts';
import { organizationUsageId, type UsageIncrement } from '../../model/organization-usage.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DocumentAccess } from './document-access.ts';
import { READ_MS } from './document-models.ts';
import type { RawDocument } from './document-values.ts';
import { type Upsert, upsertEach } from './upsert-each.ts';

/** Models of the documents that are written, and of their owners. */
export interface UsageModels {
  readonly apiKeys: Model<RawDocument>;
  readonly apiKeyUsage: Model<RawDocument>;
  readonly organizations: Model<RawDocument>;
  readonly organizationUsage: Model<RawDocument>;
}

/**
 * How many batches a month of an organization remembers: more than are added in the minutes within which one is sent
 * again.
 */
const REMEMBERED_BATCHES = 100;

/** Identifiers per look-up. */
const MOST_AT_ONCE = 1_000;

/** What one call adds; its identifier tells the server whether it has it already. */
interface Batch {
  readonly id: string;
  readonly increments: readonly UsageIncrement[];
}

/**
 * Both writes first check that the key or the organization exists, and then write. If it is removed in between, a
 * document stays behind; the clean-up of its organization removes it, since it runs once more 20 s after it was
 * requested.
 */
export class UsageWrites {
  readonly #access: DocumentAccess;
  readonly #clock: Clock;
  readonly #models: UsageModels;
  /** Sent, but the answer was lost. */
  #unanswered: Batch[] = [];

  constructor(access: DocumentAccess, clock: Clock, models: UsageModels) {
    this.#access = access;
    this.#clock = clock;
    this.#models = models;
  }

  /**
   * Writes each key separately: an interrupted call writes some, and a later one the rest.
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  async recordApiKeyUses(uses: readonly ApiKeyUse[]): Promise<void> {
    const now = new Date(this.#clock.now()).toISOString();
    const present = await this.#presentOf(
      this.#models.apiKeys,
      uses.map(({ apiKeyId }) => apiKeyId),
    );
    const upserts = uses
      .filter(({ apiKeyId }) => present.has(apiKeyId))
      .map(({ apiKeyId, organizationId, lastUsedAt }) => ({
        _id: apiKeyId,
        unless: { lastUsedAt: { $lt: lastUsedAt } },
        update: {
          $set: { updatedAt: now, lastUsedAt },
          $setOnInsert: { organizationId, createdAt: now },
          $inc: { version: 1 },
        },
      }));
    await this.#access.run(() => upsertEach(this.#models.apiKeyUsage, upserts));
  }

  /**
   * Adds each increment once. When the answer is lost, it is unknown what was added: the store then keeps the batch and
   * sends it again before the next one, and the server ignores what it has. The caller does nothing.
   * @throws ApiError SERVICE_UNAVAILABLE, then nothing was added
   */
  async addUsage(increments: readonly UsageIncrement[]): Promise<void> {
    if (increments.length === 0) return;
    await this.settle();
    const batch = { id: randomBytes(9).toString('base64url'), increments: summed(increments) };
    const upserts = await this.#upsertsOf(batch);
    try {
      await this.#send(upserts);
    } catch (fault) {
      if (!(fault instanceof ApiError)) throw fault;
      this.#unanswered.push(batch);
    }
  }

  /** Resends what was not answered. @throws ApiError SERVICE_UNAVAILABLE */
  async settle(): Promise<void> {
    const batches = this.#unanswered;
    this.#unanswered = [];
    for (const [index, batch] of batches.entries()) {
      try {
        await this.#send(await this.#upsertsOf(batch));
      } catch (fault) {
        this.#unanswered.push(...batches.slice(index));
        throw fault;
      }
    }
  }

  /** Only those of existing organizations. */
  async #upsertsOf({ id, increments }: Batch): Promise<Upsert[]> {
    const now = new Date(this.#clock.now()).toISOString();
    const present = await this.#presentOf(
      this.#models.organizations,
      increments.map(({ organizationId }) => organizationId),
    );
    return increments
      .filter(({ organizationId }) => present.has(organizationId))
      .map((increment) => toUpsert(increment, id, now));
  }

  #send(upserts: readonly Upsert[]): Promise<void> {
    return this.#access.run(() => upsertEach(this.#models.organizationUsage, upserts));
  }

  /** Those of the identifiers that exist. */
  async #presentOf(model: Model<RawDocument>, ids: readonly string[]): Promise<Set<string>> {
    const present = new Set<string>();
    for (let from = 0; from < ids.length; from += MOST_AT_ONCE) {
      const asked = ids.slice(from, from + MOST_AT_ONCE);
      const found = await this.#access.run(() =>
        model
          .find({ _id: { $in: asked } }, { _id: 1 })
          .maxTimeMS(READ_MS)
          .lean<{ _id: string }[]>()
          .exec(),
      );
      for (const { _id } of found) present.add(_id);
    }
    return present;
  }
}

/** `batches` is not a field of the model: only this file uses it. */
function toUpsert(
  { organizationId, month, requests, events }: UsageIncrement,
  batch: string,
  now: string,
): Upsert {
  return {
    _id: organizationUsageId({ organizationId, month }),
    unless: { batches: { $ne: batch } },
    update: {
      $set: { updatedAt: now },
      $setOnInsert: { organizationId, month, createdAt: now },
      $inc: { version: 1, requests, events },
      $push: { batches: { $each: [batch], $slice: -REMEMBERED_BATCHES } },
    },
  };
}

/** One increment per month of an organization: a batch must stand only once in a document. */
function summed(increments: readonly UsageIncrement[]): UsageIncrement[] {
  const sums = new Map<string, UsageIncrement>();
  for (const increment of increments) {
    const id = organizationUsageId(increment);
    const { requests, events } = sums.get(id) ?? { requests: 0, events: 0 };
    sums.set(id, {
      ...increment,
      requests: requests + increment.requests,
      events: events + increment.events,
    });
  }
  return [...sums.values()];
}
