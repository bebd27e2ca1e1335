/** The document store's writes of many documents: last uses of keys, the usage of organizations, and counts over time. */
import { randomBytes } from 'node:crypto';
import type { Model } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';
import { type ActivityIncrement, newActivity } from '../../model/activity.ts';
import type { ApiKeyUse } from '../../model/api-key-usage.ts';
import { INSTALLATION } from '../../model/configuration-record.ts';
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
  readonly activity: Model<RawDocument>;
}

/**
 * How many batches a document remembers: more than are added in the minutes within which one is sent again.
 */
const REMEMBERED_BATCHES = 100;

/** Identifiers per look-up. */
const MOST_AT_ONCE = 1_000;

/** How often documents that nobody asks for any more are removed, in milliseconds. */
const REMOVED_EVERY_MS = 600_000;

/** What one call adds; its identifier tells the server whether it has it already. */
interface Batch {
  readonly model: Model<RawDocument>;
  readonly increments: readonly { readonly organizationId: string; readonly upsert: Upsert }[];
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
  #removedAtMs = 0;

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
    const once = this.#once();
    await this.#add({
      model: this.#models.organizationUsage,
      increments: summed(increments).map((increment) => ({
        organizationId: increment.organizationId,
        upsert: usageUpsert(increment, once),
      })),
    });
  }

  /** As {@link addUsage}; each document stands in one increment alone. */
  async addActivity(increments: readonly ActivityIncrement[]): Promise<void> {
    if (increments.length === 0) return;
    const once = this.#once();
    await this.#add({
      model: this.#models.activity,
      increments: increments.map((increment) => ({
        organizationId: increment.organizationId,
        upsert: activityUpsert(increment, once),
      })),
    });
    await this.#removeOldActivity(increments.map(({ organizationId }) => organizationId));
  }

  async #removeOldActivity(organizationIds: readonly string[]): Promise<void> {
    const nowMs = this.#clock.now();
    if (nowMs - this.#removedAtMs < REMOVED_EVERY_MS) return;
    this.#removedAtMs = nowMs;
    const expiresAt = { $lte: new Date(nowMs).toISOString() };
    const old = { organizationId: { $in: [...new Set(organizationIds)] }, expiresAt };
    await this.#access.run(() => this.#models.activity.deleteMany(old).exec());
  }

  #once(): Once {
    return { batch: randomBytes(9).toString('base64url'), now: new Date(this.#clock.now()).toISOString() };
  }

  async #add(batch: Batch): Promise<void> {
    await this.settle();
    const upserts = await this.#upsertsOf(batch);
    try {
      await this.#send(batch.model, upserts);
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
        await this.#send(batch.model, await this.#upsertsOf(batch));
      } catch (fault) {
        this.#unanswered.push(...batches.slice(index));
        throw fault;
      }
    }
  }

  /** Only those of existing organizations, and of the installation. */
  async #upsertsOf({ increments }: Batch): Promise<Upsert[]> {
    const present = await this.#presentOf(
      this.#models.organizations,
      increments.map(({ organizationId }) => organizationId),
    );
    present.add(INSTALLATION);
    return increments.filter(({ organizationId }) => present.has(organizationId)).map(({ upsert }) => upsert);
  }

  #send(model: Model<RawDocument>, upserts: readonly Upsert[]): Promise<void> {
    return this.#access.run(() => upsertEach(model, upserts));
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

/** What makes an increment count once, and when it was made. */
interface Once {
  readonly batch: string;
  readonly now: string;
}

/** `batches` is not a field of the models: only this file uses it. */
function upsertOnce(
  _id: string,
  { batch, now }: Once,
  { fields, added }: { readonly fields: object; readonly added: object },
): Upsert {
  return {
    _id,
    unless: { batches: { $ne: batch } },
    update: {
      $set: { updatedAt: now },
      $setOnInsert: { ...fields, createdAt: now },
      $inc: { version: 1, ...added },
      $push: { batches: { $each: [batch], $slice: -REMEMBERED_BATCHES } },
    },
  };
}

function usageUpsert({ organizationId, month, requests, events }: UsageIncrement, once: Once): Upsert {
  const fields = { organizationId, month };
  return upsertOnce(organizationUsageId(fields), once, { fields, added: { requests, events } });
}

function activityUpsert(increment: ActivityIncrement, once: Once): Upsert {
  const { id, counts, websiteId, ...others } = newActivity(increment);
  const fields = websiteId === null ? others : { ...others, websiteId };
  const added = Object.fromEntries(Object.entries(counts).map(([name, count]) => [`counts.${name}`, count]));
  return upsertOnce(id, once, { fields, added });
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
