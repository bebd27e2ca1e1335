/** The error that every layer throws: a kind from the catalogue, a public text, and a cause that only the log sees. */
import { ERRORS, type ErrorKind } from './catalogue.ts';

/** One fault in a request. */
export interface ErrorDetail {
  /** Path of the faulty field, such as `events[2].name`. */
  readonly field: string;
  /** What is wrong: what came and what is allowed. */
  readonly message: string;
  /** What was probably meant. */
  readonly suggestion?: string;
}

/** How many faults an error lists. It only counts the rest, so that no request causes an answer much larger than itself. */
export const MAX_DETAILS = 100;

/** The limit that refused a request, with its numbers at that moment; for operators, not for the caller. */
export interface RefusedLimit {
  /** As plans.yml and the metrics name it; it holds no id and no address. */
  readonly name: string;
  readonly limit: number;
  /** What this request would have taken, and what was left in the window. */
  readonly cost: number;
  readonly remaining: number;
  /** Such as `60 s` or `day (UTC)`. */
  readonly window: string;
  /** When the window ends, in ISO 8601. */
  readonly reset: string;
}

/** What an {@link ApiError} may carry besides its kind. */
export interface ApiErrorOptions {
  /** Public text; the catalogue's text when absent. Never contains a stack, a server path or a store's query. */
  readonly text?: string;
  /** Those beyond {@link MAX_DETAILS} are only counted. */
  readonly details?: readonly ErrorDetail[];
  /** What really happened, for the log only. */
  readonly cause?: unknown;
  /** Further response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further body fields, such as those of a 429. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The limit that refused, where one did; only the access log sees it. */
  readonly limit?: RefusedLimit | null;
}

/** Every 503 says when to retry, in seconds (contract.md section 2). */
const RETRY_SOON: Readonly<Record<string, string>> = { 'Retry-After': '1' };

/** An error with a public face; anything else that is thrown becomes INTERNAL_ERROR. */
export class ApiError extends Error {
  readonly kind: ErrorKind;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly limit: RefusedLimit | null;

  constructor(kind: ErrorKind, options: ApiErrorOptions = {}) {
    super(options.text ?? ERRORS[kind].text, { cause: options.cause });
    this.name = 'ApiError';
    this.kind = kind;
    this.details = bounded(options.details ?? []);
    this.headers =
      kind === 'SERVICE_UNAVAILABLE' ? { ...RETRY_SOON, ...options.headers } : (options.headers ?? {});
    this.fields = options.fields ?? {};
    this.limit = options.limit ?? null;
  }

  get code(): string {
    return ERRORS[this.kind].code;
  }

  get status(): number {
    return ERRORS[this.kind].status;
  }
}

function bounded(details: readonly ErrorDetail[]): readonly ErrorDetail[] {
  const more = details.length - MAX_DETAILS;
  if (more <= 0) return details;
  const closing = { field: 'details', message: `And ${more} more, which are not listed.` };
  return [...details.slice(0, MAX_DETAILS), closing];
}

/** Anything thrown, as an {@link ApiError}: unknown faults become INTERNAL_ERROR with the fault as cause. */
export function toApiError(thrown: unknown): ApiError {
  return thrown instanceof ApiError ? thrown : new ApiError('INTERNAL_ERROR', { cause: thrown });
}

/** The same error with further response headers. */
export function withHeaders(error: ApiError, headers: Readonly<Record<string, string>>): ApiError {
  const { kind, message, details, cause, fields, limit } = error;
  return new ApiError(kind, {
    text: message,
    details,
    cause,
    fields,
    limit,
    headers: { ...error.headers, ...headers },
  });
}
