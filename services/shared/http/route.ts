/** A route as data: what it answers, to whom, in which shapes; the service app and the OpenAPI document derive from it. */
import type { z } from 'zod';
import type { GrantedCaller } from '../access/grant.ts';
import type { Scope } from '../access/scopes.ts';
import type { ErrorKind } from '../errors/catalogue.ts';
import type { Role } from '../model/user.ts';
import type { StreamedBody } from './send-stream.ts';

/**
 * Who may ask: holders of every scope named, and with `keyless` anonymous callers too, whom the handler judges; or
 * sessions with one of the roles named, and no key; or anybody. This is what the shipped YAML says, and a test holds both
 * equal; nothing is decided by it: a service goes by the grant in the identity.
 */
export type RouteRule =
  | {
      readonly scopes: readonly Scope[];
      readonly keyless?: true;
      /** `handler`: where the gateway leaves the rule undecided, the handler decides it by what is requested. */
      readonly decidedBy?: 'handler';
    }
  /** `operators`: and their people run the service. */
  | { readonly roles: readonly Role[]; readonly operators?: true }
  | 'public';

/** A request as a handler sees it: already parsed. */
export interface RouteInput<Body, Query> {
  /** As it came: GET's handler answers HEAD. */
  readonly method: string;
  readonly caller: GrantedCaller;
  readonly body: Body;
  /** Frozen: requests with the same query string share it. */
  readonly query: Query;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Request headers, names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly requestId: string;
  /** Which of these media types the client prefers (`Accept`, RFC 9110, 12.5.1), the first on a tie; false for none. */
  accepts(types: readonly string[]): string | false;
  /** Bytes of the inflated body and of the query string. */
  readonly receivedBytes: number;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
  /** Tells the gateway that work begins which is charged by its time; the answer then says how long it ran. */
  beginsWork(): void;
}

/** The result of a handler; `body` is sent as JSON, and absent for 204. */
export interface RouteOutput {
  readonly body?: unknown;
  /** Sent as they are, in place of `body`: JSON unless the route's `success.mediaType` says otherwise. */
  readonly bytes?: Uint8Array;
  /** Sent piece by piece, in place of `body`. */
  readonly stream?: StreamedBody;
  /** Defaults to the route's `success.status`. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What a write did, for the audit record; null when nothing was written. Required of routes with an `audit`. */
  readonly written?: Written | null;
}

/** What a write touched. */
export interface Written {
  readonly targetId: string;
  /** Names of the fields that were set, never their values. */
  readonly fields?: readonly string[];
}

/** A route without its handler: all that its description needs. */
export interface RouteDescription<Body = unknown, Query = unknown> {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path with parameters as `:name`. */
  readonly path: string;
  readonly rule: RouteRule;
  /**
   * `session`: no key may call it, whomever an endpoint admits, because it gives or takes access, tells who
   * did what, or is about the caller's own session.
   */
  readonly needs?: 'session';
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** What its group is about, when the list of groups does not say. */
  readonly about?: string;
  /** What path parameters stand for, by name; an unlisted one is an identifier. */
  readonly pathParameters?: Readonly<Record<string, string>>;
  /**
   * Shape of the query string; when absent, it is ignored. What it makes of a text is remembered and shared, so it consists of
   * plain objects and lists, and depends on the text alone.
   */
  readonly query?: z.ZodType<Query>;
  /**
   * Request headers that this route reads, each with its meaning. If-Match is described automatically for routes that
   * can answer PRECONDITION_FAILED; a route that names If-None-Match also answers 304.
   */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Shape of the JSON body; when absent, no body is read. */
  readonly body?: {
    readonly schema: z.ZodType<Body>;
    /** Largest body, in bytes. */
    readonly maxBytes: number;
    readonly example: unknown;
    /** Media types besides application/json that are read as JSON. */
    readonly alsoAccepts?: readonly string[];
    /** Stands in for a missing body; without it, a body is required. */
    readonly whenAbsent?: Body;
    /** The name used in `details[].field` for an element of a body that is an array, such as `events`. */
    readonly arrayName?: string;
  };
  readonly success: {
    readonly status: number;
    readonly schema: z.ZodType;
    readonly example: unknown;
    /**
     * The type of an answer in `bytes`; absent: JSON. For a redirect: the type of the page that some clients get
     * instead, with 200.
     */
    readonly mediaType?: string;
    /** Further media types of which a client may ask for one by `Accept`, each with what the answer then is. */
    readonly alsoAs?: Readonly<Record<string, string>>;
    /**
     * Headers on every success besides the common ones, each with its meaning. `Location` of a 201 or a redirect, and
     * `ETag` where siblings honour If-Match, are described automatically.
     */
    readonly headers?: Readonly<Record<string, string>>;
    /** It shows a secret beside what clients wrote: nobody on the way compresses it, since its length would tell of it. */
    readonly holdsSecret?: true;
    /** Headers on some successes only, each with when it comes and what it means. */
    readonly optionalHeaders?: Readonly<Record<string, string>>;
  };
  /** Errors beyond those of every route with its rule. */
  readonly errors: readonly ErrorKind[];
  /** Those of its errors that come as a page, of the success's media type: people see them. */
  readonly errorPages?: readonly ErrorKind[];
  /** Further fields of every error body of this route, such as `status: "error"` on ingest. */
  readonly errorFields?: Readonly<Record<string, unknown>>;
  /** The audit record's name for this write, as `kind.verb`; the service app writes the record. */
  readonly audit?: string;
}

/** The name of a route, by which endpoints open it: its method and path. */
export function routeName({ method, path }: Pick<RouteDescription, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** A route of a service. */
export interface Route<Ports, Body = unknown, Query = unknown> extends RouteDescription<unknown, Query> {
  /**
   * Turns the body into what the handler gets, where a schema alone cannot: some faults need the store, and all faults
   * are reported at once. Without it the schema parses.
   * @throws ApiError VALIDATION_ERROR with every fault
   */
  parse?(asked: unknown, input: RouteInput<undefined, Query>, ports: Ports): Body | Promise<Body>;
  handler(input: RouteInput<Body, Query>, ports: Ports): Promise<RouteOutput>;
}

/** The input of {@link defineRoute}: a body is parsed by its own schema, or by `parse`. */
type Declared<Ports, Body, Query> = Omit<Route<Ports, Body, Query>, 'body' | 'parse'> &
  (
    | { readonly body?: RouteDescription<Body>['body']; readonly parse?: never }
    | {
        readonly body: NonNullable<RouteDescription['body']>;
        readonly parse: NonNullable<Route<Ports, Body, Query>['parse']>;
      }
  );

/** Declares a route whose handler gets what its schemas, or its `parse`, produce from a request. */
export function defineRoute<Ports, Body = undefined, Query = undefined>(
  route: Declared<Ports, Body, Query>,
): Route<Ports> {
  return route as unknown as Route<Ports>;
}
