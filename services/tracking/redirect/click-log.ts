/** Stores clicks after their redirects are answered: no visitor waits for a disk (docs/decisions/0012). */
import type { Logger } from 'pino';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { EventRecord } from '../../shared/model/event-record.ts';
import type { EventStore } from '../../shared/ports/event-store.ts';
import type { Metrics } from '../../shared/ports/metrics.ts';
import type { Disk } from '../../shared/storage/disk-watch.ts';

/** Most clicks that may wait to be stored. Further ones are lost, and counted as such. */
export const MOST_WAITING = 20_000;
/** Most characters in all their texts, some of which the visitor controls: about 20 to 40 MB. */
export const MOST_WAITING_CHARACTERS = 20_000_000;
const MOST_PER_APPEND = 1_000;
/** How long clicks are gathered for one append, in milliseconds: a commit costs much and a click little. */
const GATHER_MS = 250;
/** The pause after the store refused, in milliseconds. */
const RETRY_MS = 1_000;

/** Takes the clicks of redirects. */
export interface Clicks {
  /** Takes the click; never fails and never waits. */
  record(click: EventRecord): void;
  /** Counts a click without a record, because the store did not provide the salt of its day. */
  lose(): void;
}

export interface ClickLog extends Clicks {
  /** Stores waiting clicks; those that the store refuses then are lost, and counted as such. */
  close(): Promise<void>;
}

export interface ClickLogPorts {
  readonly events: Pick<EventStore, 'append'>;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** While the disk is low, clicks are lost: visitors who follow a link have no key. */
  readonly disk: Disk;
}

/** A click and the characters of its texts. */
interface Waiting {
  readonly click: EventRecord;
  readonly characters: number;
}

/** Appends clicks in order, those of a quarter of a second at once. While the store refuses, clicks wait and are retried. */
export function createClickLog({ events, metrics, logger, disk }: ClickLogPorts): ClickLog {
  const outcomes = metrics.counter('tidegate_link_clicks_total', 'Clicks on short links, by outcome.', {
    outcome: ['stored', 'lost'],
  });
  const stored = outcomes.of({ outcome: 'stored' });
  const lost = outcomes.of({ outcome: 'lost' });
  const waiting: Waiting[] = [];
  let waitingCharacters = 0;
  let writing: Promise<void> | null = null;
  let closing = false;
  let endPause: (() => void) | null = null;
  metrics.watch('tidegate_link_clicks_waiting', 'Clicks that wait to be stored.', () => waiting.length);

  async function write(): Promise<void> {
    let refusedBefore = false;
    while (waiting.length > 0) {
      if (waiting.length < MOST_PER_APPEND && !closing) await pause(GATHER_MS);
      const batch = waiting.slice(0, MOST_PER_APPEND).map(({ click }) => click);
      try {
        await events.append(batch);
        drop(batch.length);
        stored.add(batch.length);
        refusedBefore = false;
      } catch (fault) {
        const isRefusal = fault instanceof ApiError && fault.kind === 'SERVICE_UNAVAILABLE';
        if (!refusedBefore) logger.error({ err: fault }, 'clicks of short links are not stored');
        refusedBefore = true;
        // Clicks refused for any other reason would block all others for ever.
        if (closing || !isRefusal) lose(closing ? waiting.length : batch.length);
        else await pause(RETRY_MS);
      }
    }
    writing = null;
  }

  function lose(count: number): void {
    drop(count);
    lost.add(count);
  }

  function drop(count: number): void {
    for (const { characters } of waiting.splice(0, count)) waitingCharacters -= characters;
  }

  /** Ends early when the log is closed. */
  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    record(click) {
      const characters = charactersOf(click);
      const isFull =
        waiting.length >= MOST_WAITING || waitingCharacters + characters > MOST_WAITING_CHARACTERS;
      if (isFull || disk.isLow()) {
        lost.add();
        return;
      }
      waitingCharacters += characters;
      waiting.push({ click, characters });
      writing ??= write();
    },
    lose: () => lost.add(),
    async close() {
      closing = true;
      endPause?.();
      await writing;
    },
  };
}

function charactersOf(click: EventRecord): number {
  let characters = 0;
  for (const name in click) {
    const value = click[name as keyof EventRecord];
    if (typeof value === 'string') characters += value.length;
  }
  return characters;
}
