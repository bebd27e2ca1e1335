/** A route of `/v1/auth` as data, and what its handler sees of a request. */

import type { Caller } from '../../../services/shared/access/caller.ts';
import { judgeOrigin } from '../../../services/shared/access/origin-rule.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import type { RouteDescription, Written } from '../../../services/shared/http/route.ts';
import type { GatewayRuntime } from '../../../services/shared/plugin/runtime.ts';
import type { SessionParts } from './session-parts.ts';

/** Largest body, in bytes. */
export const MAX_BODY_BYTES = 16_384;

export interface AuthCall<Body = unknown> {
  readonly runtime: GatewayRuntime;
  readonly parts: SessionParts;
  /** Checked by the route's schema; undefined for a route without a body. */
  readonly body: Body;
  readonly caller: Caller;
  readonly rawHeaders: readonly string[];
  readonly requestId: string;
  /** The line in which its passwords wait: that of the address it comes from. */
  readonly passwordLine: string;
  /** Adds a Set-Cookie line to the answer and to an error that the route throws, not to that of a lost audit record. */
  setCookie(line: string): void;
}

/** What an act on a session wrote, and in whose name: the session that acts may have begun with it, or ended. */
export interface SessionWrite extends Written {
  /** The organization whose audit tells of it. */
  readonly organizationId: string;
  readonly sessionId: string;
  readonly userId: string;
}

export interface AuthAnswer {
  /** Absent for 204. */
  readonly body?: unknown;
  /** What was written, a record each; required of routes with an `audit`, empty when nothing changed. */
  readonly written?: readonly SessionWrite[];
  /** Ends what the answer would have handed out, when the record of it cannot be stored. */
  takeBack?(): Promise<void>;
}

export interface AuthRoute<Body = unknown> extends RouteDescription<Body> {
  answer(call: AuthCall<Body>): Promise<AuthAnswer>;
}

/** Of a success that sets or clears the cookies of a session. */
export const SETS_COOKIES = { 'Set-Cookie': '`tg_access` and `tg_refresh`, a line each.' } as const;

/** Declares a route with its body type inferred from the schema; that nothing here is kept is described for all. */
export function defineAuthRoute<Body = undefined>(route: AuthRoute<Body>): AuthRoute {
  const headers = { 'Cache-Control': '`no-store`.', ...route.success.headers };
  return { ...route, success: { ...route.success, headers } } as unknown as AuthRoute;
}

/** Refuses to begin a session for a page of another site; a request that no page made names no origin. */
export function refuseForeignOrigin({ rawHeaders, runtime }: AuthCall<never>): void {
  if (judgeOrigin(rawHeaders, runtime.ownDomains) !== 'foreign') return;
  throw new ApiError('ACCESS_DENIED', {
    text: "A session begins only for pages of one of the service's own domains; this request comes from elsewhere.",
  });
}
