/** A call of the API and its answer, as data. */
import type { Fault } from './fault.ts';

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The entity tag of what is changed, so that somebody else's change is not overwritten. */
  readonly ifMatch?: string;
  /** Whether parts of the answer may come before all of it: a batch of `POST /v1/query`. */
  readonly isStreamed?: boolean;
}

export type Answer<T> =
  | {
      readonly ok: true;
      readonly status: number;
      readonly body: T;
      readonly etag: string | null;
      /** Those of the answer, where it came as a whole. */
      readonly headers?: Headers;
    }
  | { readonly ok: false; readonly fault: Fault };

/** The path with its query string; what is undefined is left out. */
export function targetOf({ path, query = {} }: Pick<Request, 'path' | 'query'>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}
