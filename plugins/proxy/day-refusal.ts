/**
 * The 429 of a daily budget that tracking keeps: answered with the headers and numbers of the limit `public`, like every
 * 429.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { publicLimitOf } from '../kit/public-limit-of.ts';
import type { GatewayRequest } from '../kit/request-context.ts';

const WHOLE = /^[1-9]\d{0,11}$/;

/** An answer of tracking that is collected, to be sent with tracking's words and the gateway's numbers. */
export class DayRefusal {
  readonly chunks: Buffer[] = [];
  readonly #resetSeconds: number;
  readonly #retryAfter: number;

  private constructor(resetSeconds: number, retryAfter: number) {
    this.#resetSeconds = resetSeconds;
    this.#retryAfter = retryAfter;
  }

  /** For a 429 that tells an anonymous caller when the day ends; null for any other, which passes as it came. */
  static of(
    { context }: GatewayRequest,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): DayRefusal | null {
    const { 'x-ratelimit-reset': reset, 'retry-after': retryAfter } = headers as IncomingHttpHeaders;
    const isNobody = context.principal?.caller.kind === 'public';
    if (!isNobody || !WHOLE.test(String(reset)) || !WHOLE.test(String(retryAfter))) return null;
    return new DayRefusal(Number(reset), Number(retryAfter));
  }

  /** Sets what the headers show; returns the error to answer. */
  async told(req: GatewayRequest): Promise<ApiError> {
    const { context } = req;
    const limit = (await publicLimitOf(req)) ?? context.shownLimit?.limit ?? 0;
    context.shownLimit = { limit, remaining: 0, resetSeconds: this.#resetSeconds };
    const reset = new Date(this.#resetSeconds * 1000).toISOString();
    const text = textOf(Buffer.concat(this.chunks));
    return new ApiError('RATE_LIMIT_EXCEEDED', {
      ...(text === null ? {} : { text }),
      headers: { 'Retry-After': `${this.#retryAfter}` },
      fields: { limit, remaining: 0, reset, retryAfter: this.#retryAfter },
      limit: { name: 'keyless-day', limit, cost: 1, remaining: 0, window: 'day (UTC)', reset },
    });
  }
}

/** The text in the body; null when there is none. */
function textOf(body: Buffer): string | null {
  try {
    const { error } = JSON.parse(body.toString());
    return typeof error === 'string' ? error : null;
  } catch {
    return null;
  }
}
