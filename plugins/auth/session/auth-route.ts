/** A route of `/v1/auth` as data, and what its handler sees of a request. */

import type { Caller } from '../../../services/shared/access/caller.ts';
import { judgeOrigin } from '../../../services/shared/access/origin-rule.ts';
import type { PasswordPlace } from '../../../services/shared/credentials/password-hasher.ts';
import type { RouteDescription, Written } from '../../../services/shared/http/route.ts';
import type { GatewayRuntime } from '../../kit/runtime.ts';
import type { ShownLimit } from '../../kit/shown-limit.ts';
import type { SessionReading } from '../read-session.ts';
import { foreignPage } from './foreign-page.ts';
import type { SessionParts } from './session-parts.ts';
import type { Client } from './sessions.ts';

/** Largest body, in bytes. */
export const MAX_BODY_BYTES = 16_384;

export interface AuthCall<Body = unknown> {
  readonly runtime: GatewayRuntime;
  readonly parts: SessionParts;
  /** Checked by the route's schema; undefined for a route without a body. */
  readonly body: Body;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly caller: Caller;
  readonly rawHeaders: readonly string[];
  readonly requestId: string;
  /** The session of the request's cookie, for a route that serves without one too; others have it as `caller`. */
  readSession(): SessionReading | Promise<SessionReading>;
  /** Where its passwords wait; it has a place already on a route that `checksPasswords`. */
  readonly passwords: PasswordPlace;
  /** Where it comes from, as the audit and the budget of an account know it. */
  readonly address: string;
  /** What the headers show of limits, in place of what the request was counted in before. */
  showLimit(shown: ShownLimit): void;
  /** Adds a Set-Cookie line to the answer and to an error that the route throws, not to that of a lost audit record. */
  setCookie(line: string): void;
}

/** What an act on a session wrote, and in whose name: the session that acts may have begun with it, or ended. */
export interface SessionWrite extends Written {
  /** The organization whose audit tells of it. */
  readonly organizationId: string;
  /** Null with `userId`: nobody was logged in, a token was enough. */
  readonly sessionId: string | null;
  readonly userId: string | null;
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
  /** Whether it hashes or verifies passwords: its requests then take a place for that before they are counted. */
  readonly checksPasswords?: true;
  answer(call: AuthCall<Body>): Promise<AuthAnswer>;
}

/** The browser that a request comes from. */
export function clientOf({ rawHeaders, address }: AuthCall<never>): Client {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'user-agent');
  return { agent: at === -1 ? null : (rawHeaders[at + 1] ?? null), address };
}

/** Of a success that sets or clears the cookies of a session. */
export const SETS_COOKIES = {
  'Set-Cookie':
    '`__Host-tg_access` and `__Secure-tg_refresh`, on localhost `tg_access` and `tg_refresh`, a line each.',
} as const;

/** Of a success that sets the access cookie alone. */
export const SETS_ACCESS = { 'Set-Cookie': '`__Host-tg_access`, on localhost `tg_access`.' } as const;

/** Declares a route with its body type inferred from the schema; that nothing here is kept is described for all. */
export function defineAuthRoute<Body = undefined>(route: AuthRoute<Body>): AuthRoute {
  const headers = { 'Cache-Control': '`private, no-store`.', ...route.success.headers };
  return { ...route, success: { ...route.success, headers } } as unknown as AuthRoute;
}

/** Refuses to begin a session for a page of another site; a request that no page made names no origin. */
export function refuseForeignOrigin({ rawHeaders, runtime }: AuthCall<never>): void {
  // Where the YAML says `origin: own`, the auth policy did already; whatever it says, this holds.
  if (judgeOrigin(rawHeaders, runtime.ownDomains) === 'foreign') throw foreignPage();
}
