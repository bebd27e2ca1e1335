/** Follows the events of one request through the steps of ingest, and counts what became of them: in all, and per website. */
import { namedWebsite } from '../../shared/access/named-website.ts';
import { reaches } from '../../shared/access/website-access.ts';
import type { DropReason } from '../../shared/model/drop-reasons.ts';
import type { Website } from '../../shared/model/website.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { ActivityCounter } from '../../shared/usage/activity-counter.ts';
import type { Target } from '../record/put-websites.ts';
import { usedWebsiteName } from '../record/website-names.ts';
import type { IngestCounts, IngestStep } from './ingest-counts.ts';
import { dropReasonOf, IngestRefusal } from './ingest-refusal.ts';
import type { Sender, SenderInput } from './validate-sender.ts';

export interface IngestRunPorts {
  readonly counts: IngestCounts;
  /** Counts events per website by what became of them. */
  readonly activity: Pick<ActivityCounter, 'add'>;
  readonly documents: Pick<DocumentStore, 'websites'>;
}

/** What became of an event. */
export type EventOutcome = 'stored' | DropReason;

interface Request extends SenderInput {
  readonly body: unknown;
}

export class IngestRun {
  readonly received: number;
  readonly #request: Request;
  readonly #ports: IngestRunPorts;
  #sender: Sender | null = null;
  /** Of the events that are still to be stored; null: not known yet. */
  #targets: readonly Target[] | null = null;

  constructor(request: Request, ports: IngestRunPorts) {
    this.#request = request;
    this.#ports = ports;
    this.received = Array.isArray(request.body) ? request.body.length : 1;
    ports.counts.add('received', this.received);
  }

  /** Who sends. */
  sentBy(sender: Sender): Sender {
    this.#sender = sender;
    return sender;
  }

  /** Where the events that are left belong. */
  placedAt<T extends { readonly target: Target }>(placed: readonly T[]): readonly T[] {
    this.#targets = placed.map(({ target }) => target);
    return placed;
  }

  /** Runs one step; its events (or the number `passed` returns) are counted as passed, or as dropped for the reason of the thrown error. */
  step<T>(
    name: IngestStep,
    work: () => T | Promise<T>,
    passed: (result: T) => number = () => this.received,
  ): T | Promise<T> {
    try {
      const result = work();
      if (result instanceof Promise) return this.#awaited(name, result, passed);
      this.#ports.counts.add(name, passed(result));
      return result;
    } catch (thrown) {
      return this.#dropped(thrown);
    }
  }

  async #awaited<T>(name: IngestStep, work: Promise<T>, passed: (result: T) => number): Promise<T> {
    try {
      const result = await work;
      this.#ports.counts.add(name, passed(result));
      return result;
    } catch (thrown) {
      return this.#dropped(thrown);
    }
  }

  /** Rejects with what was thrown. */
  async #dropped(thrown: unknown): Promise<never> {
    const reason = dropReasonOf(thrown);
    this.#ports.counts.add(reason, this.received);
    await this.#failed(reason, thrown).catch(() => undefined);
    throw thrown;
  }

  /** Counts events of these targets that went no further, or were stored. */
  became(outcome: EventOutcome, targets: readonly Target[]): void {
    if (outcome !== 'stored' && targets.length > 0) this.#ports.counts.add(outcome, targets.length);
    this.#countAll(targets, outcome);
  }

  async #failed(reason: DropReason, thrown: unknown): Promise<void> {
    if (this.#targets !== null) {
      this.#countAll(this.#targets, reason);
      return;
    }
    const refused = thrown instanceof IngestRefusal ? thrown.website : null;
    this.#count(refused ?? (await this.#onlyWebsite()), reason, this.received);
  }

  /** The one website that the request is about, as far as it tells before its events are known to be whole. */
  async #onlyWebsite(): Promise<Website | null> {
    const sender = this.#sender;
    if (sender === null) return null;
    if (sender.kind === 'keyless') return sender.website;
    const { caller } = sender;
    const { access, organizationId } = caller;
    const only = access.level === 'website' && access.websiteIds.length === 1 ? access.websiteIds[0] : null;
    const { query, headers, body } = this.#request;
    const id = namedWebsite(query, headers) ?? namedIn(body) ?? only ?? null;
    if (id === null || organizationId === null || !reaches(caller, id)) return null;
    return this.#ports.documents.websites.get(organizationId, id);
  }

  /** Neighbours of one website are counted at once. */
  #countAll(targets: readonly Target[], outcome: EventOutcome): void {
    let from = 0;
    for (let at = 1; at <= targets.length; at++) {
      const website = targets[from]?.website ?? null;
      if (at < targets.length && targets[at]?.website === website) continue;
      this.#count(website, outcome, at - from);
      from = at;
    }
  }

  #count(website: Website | null, outcome: EventOutcome, count: number): void {
    if (website !== null)
      this.#ports.activity.add(website.organizationId, website.id, outcome, outcome, count);
  }
}

/** The website that the first event of a body names; null: it names none. */
function namedIn(body: unknown): string | null {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof first !== 'object' || first === null) return null;
  const named = (first as Readonly<Record<string, unknown>>)[usedWebsiteName(first)];
  return typeof named === 'string' ? named : null;
}
