/** Declares an ingest route: the common part, and what each route reads, does and answers. */
import { z } from 'zod';
import { CLIENT_ID_HEADER } from '../../shared/access/named-website.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import { defineRoute, type Route, type RouteInput, type RouteOutput } from '../../shared/http/route.ts';
import type { TrackingParts } from '../ports.ts';
import { type EventReader, LARGEST_LIST, LIST_NAME } from '../record/validate-events.ts';
import { type WebsiteSelector, websiteSelectorSchema } from '../record/website-selector.ts';
import type { IngestRequest } from './ingest.ts';

const LARGEST_BODY_BYTES = 2 * 1024 * 1024;

/** The definition of an ingest route. */
export interface IngestRouteDefinition<T> {
  readonly operationId: string;
  readonly path: string;
  /**
   * `keyless`: callers without a key may send too, for a website that allows it. `keyed`: never, whatever the endpoint
   * grants (contract.md section 6).
   */
  readonly senders: 'keyed' | 'keyless';
  readonly summary: string;
  readonly description: string;
  /**
   * One element of the body, as documented. Shown, but not used for parsing: only the clock can tell whether a timestamp is
   * in the future, and all faults of a request are reported at once.
   */
  readonly element: z.ZodType;
  readonly reader: EventReader<T>;
  /** An accepted body. */
  readonly example: unknown;
  readonly success: { readonly schema: z.ZodType; readonly example: unknown };
  /** Stores the events; returns the body of the answer. */
  take(request: IngestRequest<T>, parts: TrackingParts): Promise<unknown>;
}

/** The errors of every ingest route. */
export const INGEST_ERRORS = [
  'VALIDATION_ERROR',
  'ACCESS_DENIED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMIT_EXCEEDED',
  'SERVICE_UNAVAILABLE',
] as const;

/** The header that every ingest route reads. */
export const INGEST_REQUEST_HEADERS = {
  [CLIENT_ID_HEADER]: 'Website of the events that name none, where the query string names none either.',
} as const;

/** Part of every error body of ingest. */
export const INGEST_ERROR_FIELDS = { status: 'error' } as const;

/** A POST route for JSON, also as text/plain, which beacons send. */
export function defineIngestRoute<T>(definition: IngestRouteDefinition<T>): Route<TrackingParts> {
  const { element, reader, senders, take, example, success, ...described } = definition;
  const body =
    reader.takes === 'one' ? element : z.union([element, z.array(element).min(1).max(LARGEST_LIST)]);
  return defineRoute<TrackingParts, unknown, WebsiteSelector>({
    ...described,
    method: 'POST',
    rule: { scopes: ['track:events'], ...(senders === 'keyless' ? { keyless: true } : {}) },
    tags: ['tracking'],
    query: websiteSelectorSchema,
    requestHeaders: INGEST_REQUEST_HEADERS,
    body: {
      schema: z.unknown().meta(z.toJSONSchema(body, { io: 'input' })),
      maxBytes: LARGEST_BODY_BYTES,
      example,
      alsoAccepts: ['text/plain'],
      arrayName: LIST_NAME,
    },
    success: { status: 200, ...success },
    errors: INGEST_ERRORS,
    errorFields: INGEST_ERROR_FIELDS,
    async handler(input: RouteInput<unknown, WebsiteSelector>, parts): Promise<RouteOutput> {
      const { caller, query, headers, body, receivedBytes } = input;
      const fromPages = senders === 'keyless';
      if (!fromPages && caller.kind === 'public') throw new ApiError('AUTH_REQUIRED');
      const request = { caller, query, headers, body, receivedBytes, reader, fromPages };
      return { body: await take(request, parts) };
    },
  });
}

/** The answer with a count: `{status, success, type, count}`. */
export function countedAnswer(type: string): IngestRouteDefinition<unknown>['success'] {
  return {
    schema: z.object({
      status: z.literal('success'),
      success: z.literal(true),
      type: z.literal(type),
      count: z.number().int().describe('Events of the request; all are stored.'),
    }),
    example: countedBody(type, 1),
  };
}

/** The body of {@link countedAnswer}. */
export function countedBody(type: string, count: number) {
  return { status: 'success', success: true, type, count } as const;
}
