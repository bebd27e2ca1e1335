/** An apiEndpoint of the YAML as policies see it: its access rule, resolved and fixed at start. */

import type { EndpointAccess } from '../access/grant.ts';
import type { ScopesUnder } from '../access/scope-rule.ts';
import type { Scope } from '../access/scopes.ts';
import type { Role } from '../model/user.ts';

/** The kind of route: it names the group in the public limit, and gives ingest its `status: "error"`. */
export const ENDPOINT_CLASSES = ['ingest', 'flags', 'links', 'other'] as const;
export type EndpointClass = (typeof ENDPOINT_CLASSES)[number];

export interface Endpoint {
  /** Its name in the YAML. */
  readonly name: string;
  /**
   * `scoped`: a credential with every scope is required; `session`: a session with one of the roles, and no key;
   * `keyless`: a key with every scope, or an anonymous caller, whom the service judges by what is requested; a wrong key
   * is refused and no cookie is read; `optional`: anonymous callers are admitted, but a wrong key is refused; `public`:
   * neither key nor cookie is read.
   */
  readonly access: EndpointAccess;
  /** Roles for `session`; empty otherwise. */
  readonly roles: readonly Role[];
  /** Whether the person of the session must run the service; `session` only. Absent: no. */
  readonly operators?: true | undefined;
  readonly scopes: readonly Scope[];
  /** Selectors under which other scopes also suffice; only for `scoped` endpoints, whose service decides. */
  readonly scopesUnder?: ScopesUnder;
  readonly class: EndpointClass;
  /** Which segment of its paths, from 0, is the parameter that limits with `per: parameter` count; absent: none. */
  readonly countedSegment?: number | undefined;
  /** Names of the limits that apply besides the plan windows; where anybody is admitted, they replace the public limit. */
  readonly limits: readonly string[];
  /** `none`: its requests count in `limits` alone, not in the windows of the plan. Absent: in both. */
  readonly plan?: 'none' | undefined;
  /** `body`: the body is read whole and parsed before the rate-limit decision, which may count its content. */
  readonly cost: 'request' | 'body';
  /**
   * The path of names to the list whose elements limits count, from the body itself or from each object of a batch.
   * Empty: the body is that list. Null: nothing in a body is counted.
   */
  readonly countedList: readonly string[] | null;
  /** `open`: any web page may read the answer, without credentials; `own`: only pages of the service's own domains. */
  readonly cors: 'open' | 'own';
  /** Whether the cookie of an ended session counts as anonymous instead of being refused; `session` endpoints only. */
  readonly endedSession: 'refused' | 'accepted';
  /**
   * `own`: requests from pages of other sites are refused first, at no cost; `public` endpoints only. Absent: any page
   * may ask.
   */
  readonly origin?: 'own' | undefined;
  /**
   * Names of the routes of a service of our own that it opens: the service refuses its callers at every other. Absent or
   * empty: none.
   */
  readonly routes?: readonly string[];
  /** The methods of this path, for `Allow`; set when the method did not match. */
  readonly allow: readonly string[] | null;
}
