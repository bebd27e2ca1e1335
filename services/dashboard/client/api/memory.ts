/**
 * What was read and need not be asked for again, such as the names of websites: until anything is written here or in another tab, until
 * somebody else is logged in or acts for another organization, and for five minutes at most.
 */
import type { Answer } from './answer.ts';

interface Kept {
  readonly body: unknown;
  readonly etag: string | null;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
}

/** How long an answer is taken for the present, in milliseconds: what other people write shows after that. */
const KEPT_MS = 5 * 60_000;
/** How long after a write nothing is kept, in milliseconds: another gateway or service may not know of it yet. */
const UNSETTLED_MS = 10_000;

const kept = new Map<string, Kept>();
const underWay = new Map<string, Promise<Answer<unknown>>>();
/** Counts what made everything old: an answer to an earlier question is not kept. */
let age = 0;
let writtenAt = Number.NEGATIVE_INFINITY;
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('tidegate-written');
if (channel) channel.onmessage = forgetWritten;

/** The answer to a question that is kept; undefined: it must be asked. */
export function recall(target: string): Kept | undefined {
  const found = kept.get(target);
  return found && Date.now() - found.at < KEPT_MS ? found : undefined;
}

/** Every answer that is kept to a path, whatever its query string, and to paths below it. */
export function recallAll(path: string): readonly Kept[] {
  return [...kept.keys()].flatMap((target) =>
    target.startsWith(path) && /^$|[?/]/.test(target.charAt(path.length)) ? (recall(target) ?? []) : [],
  );
}

/** Asks, once for all who want the same at the same time, and keeps the answer unless something was written meanwhile. */
export function askAndKeep<T>(target: string, ask: () => Promise<Answer<T>>): Promise<Answer<T>> {
  const asked = age;
  const answer =
    (underWay.get(target) as Promise<Answer<T>> | undefined) ??
    ask().then((got) => {
      if (asked !== age) return got;
      underWay.delete(target);
      const isSettled = Date.now() - writtenAt >= UNSETTLED_MS;
      if (got.ok && isSettled && !isEmpty(got.body))
        kept.set(target, { body: got.body, etag: got.etag, at: Date.now() });
      return got;
    });
  underWay.set(target, answer);
  return answer;
}

/** Whether it is a list without entries: who waits for the first one looks again. */
function isEmpty(body: unknown): boolean {
  const { data, websites = data } = Object(body) as { data?: unknown; websites?: unknown };
  return Array.isArray(websites) && websites.length === 0;
}

/** Forgets everything: somebody else, or another organization. */
export function forgetAll(): void {
  age++;
  kept.clear();
  underWay.clear();
}

/** Forgets everything after a write, in all tabs. */
export function tellWritten(): void {
  forgetWritten();
  channel?.postMessage('written');
}

function forgetWritten(): void {
  writtenAt = Date.now();
  forgetAll();
}
