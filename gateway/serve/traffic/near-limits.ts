/** Who is near a limit: callers of whose tightest window less than a fifth was left at their last request. */
import type { RequestContext } from '../../../plugins/kit/request-context.ts';

/** A caller whose window is nearly used up. */
export interface NearLimit {
  readonly organization: string;
  /** The id of the key; null: a session. */
  readonly key: string | null;
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, in ISO 8601. */
  readonly reset: string;
}

interface Noted {
  readonly organization: string;
  readonly key: string | null;
  readonly limit: number;
  remaining: number;
  resetSeconds: number;
}

/** The part of a window that is left to those who are near its end. */
const NEAR = 5;
/** How many are known at a time; further ones are not noted until windows end. */
const MOST = 1_000;
/** How many are told. */
const MOST_TOLD = 100;

export class NearLimits {
  readonly #noted = new Map<string, Noted>();

  /** Notes the caller of a request that ended, if it is near. Cheap for those that are not. */
  note({ shownLimit, principal }: RequestContext): void {
    if (shownLimit === null || shownLimit.remaining * NEAR >= shownLimit.limit || principal === null) return;
    const { caller } = principal;
    if (caller.organizationId === null) return;
    const { limit, remaining, resetSeconds } = shownLimit;
    const key = caller.kind === 'key' ? caller.id : null;
    const id = `${caller.organizationId} ${key ?? ''} ${limit}`;
    const known = this.#noted.get(id);
    if (known !== undefined) {
      known.remaining = remaining;
      known.resetSeconds = resetSeconds;
    } else if (this.#noted.size < MOST) {
      this.#noted.set(id, { organization: caller.organizationId, key, limit, remaining, resetSeconds });
    }
  }

  /** Those whose windows have not ended, the nearest first. */
  now(nowMs: number): NearLimit[] {
    for (const [id, { resetSeconds }] of this.#noted)
      if (resetSeconds * 1_000 <= nowMs) this.#noted.delete(id);
    return [...this.#noted.values()]
      .sort((a, b) => a.remaining / a.limit - b.remaining / b.limit)
      .slice(0, MOST_TOLD)
      .map(({ resetSeconds, ...noted }) => ({
        ...noted,
        reset: new Date(resetSeconds * 1_000).toISOString(),
      }));
  }
}
