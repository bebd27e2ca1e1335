/** A route as data: what it answers, to whom, in which shapes; the service app and the OpenAPI document are made from it. */
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { ScopeRule } from '../access/scope-rule.ts';
import type { ErrorKind } from '../errors/catalogue.ts';
import type { Role } from '../model/user.ts';

/**
 * Who may ask: holders of every scope named, and with `keyless` nobody in particular too, whom the handler judges;
 * sessions of one of the roles named, and no key; or anybody. The gateway's YAML says the same, held equal by a test.
 */
export type RouteRule =
  | (ScopeRule & { readonly keyless?: true })
  | { readonly roles: readonly Role[] }
  | 'public';

/** A request as a handler sees it: parsed and checked. */
export interface RouteInput<Body, Query> {
  /** As it came: HEAD is answered by GET's handler. */
  readonly method: string;
  readonly caller: Caller;
  readonly body: Body;
  readonly query: Query;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Request headers, names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly requestId: string;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
}

/** What a handler answers; `body` is sent as JSON, absent for 204. */
export interface RouteOutput {
  readonly body?: unknown;
  /** Sent as they are, in place of `body`: JSON unless the route's `success.mediaType` says otherwise. */
  readonly bytes?: Uint8Array;
  /** Defaults to the route's `success.status`. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What a write did, for the audit record; null when nothing was written. Required of routes with an `audit`. */
  readonly written?: Written | null;
}

/** What a write touched. */
export interface Written {
  readonly targetId: string;
  /** Names of the fields that were set; never their values. */
  readonly fields?: readonly string[];
}

/** A route without what answers it: all that its description needs. */
export interface RouteDescription<Body = unknown, Query = unknown> {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path with parameters as `:name`. */
  readonly path: string;
  readonly rule: RouteRule;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** What path parameters stand for, by name; one that is not named is an identifier. */
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** Shape of the query string; absent: it is ignored. */
  readonly query?: z.ZodType<Query>;
  /**
   * Request headers of its own that it reads, each with what it says. If-Match of routes that can answer
   * PRECONDITION_FAILED is described without being named; a route that names If-None-Match answers 304 too.
   */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Shape of the JSON body; absent: no body is read. */
  readonly body?: {
    readonly schema: z.ZodType<Body>;
    /** Largest body, in bytes. */
    readonly maxBytes: number;
    readonly example: unknown;
    /** Media types besides application/json that are read as JSON. */
    readonly alsoAccepts?: readonly string[];
    /** What stands for a body that did not come; without it, a body is required. */
    readonly whenAbsent?: Body;
    /**
     * `handler`: the handler gets what came and judges it by the schema itself, because further faults need the store
     * and all are told at once. Default: the app judges, the handler gets the parsed body.
     */
    readonly judgedBy?: 'handler';
    /** The name that stands in `details[].field` for an element of a body that is an array, such as `events`. */
    readonly arrayName?: string;
  };
  readonly success: {
    readonly status: number;
    readonly schema: z.ZodType;
    readonly example: unknown;
    /** Of an answer in `bytes`; absent: JSON. Of a redirect: of the page that some get in its place, with 200. */
    readonly mediaType?: string;
    /**
     * Headers that every success carries besides the common ones, each with what it says. `Location` of a 201 or a
     * redirect, and `ETag` where siblings honour If-Match, are described without being named.
     */
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Errors beyond those that every route of its rule can give. */
  readonly errors: readonly ErrorKind[];
  /** Further fields of every error body of this route, such as `status: "error"` on ingest. */
  readonly errorFields?: Readonly<Record<string, unknown>>;
  /** What the audit record calls this write, as `kind.verb`; the service app writes the record. */
  readonly audit?: string;
}

/** A route of a service. */
export interface Route<Ports, Body = unknown, Query = unknown> extends RouteDescription<Body, Query> {
  handler(input: RouteInput<Body, Query>, ports: Ports): Promise<RouteOutput>;
}

/** Declares a route with its body and query types inferred from their schemas. */
export function defineRoute<Ports, Body = undefined, Query = undefined>(
  route: Route<Ports, Body, Query>,
): Route<Ports> {
  return route as unknown as Route<Ports>;
}
