/** An apiEndpoint of the YAML as policies see it: the rule who may ask, resolved and fixed at start. */

import type { ScopesUnder } from '../access/scope-rule.ts';
import type { Scope } from '../access/scopes.ts';
import type { Role } from '../model/user.ts';

/** What kind of route it is: names its group in the public limit, and gives ingest its `status: "error"`. */
export const ENDPOINT_CLASSES = ['ingest', 'flags', 'links', 'other'] as const;
export type EndpointClass = (typeof ENDPOINT_CLASSES)[number];

export interface Endpoint {
  /** Its name in the YAML. */
  readonly name: string;
  /**
   * `scoped`: a credential with every scope is needed; `session`: a session with one of the roles, and no key;
   * `keyless`: a key with every scope, or nobody, whom the service judges by what is asked for; a wrong key is refused and
   * no cookie is read; `optional`: nobody may ask too, but a wrong key is refused; `public`: neither key nor cookie is read.
   */
  readonly access: 'scoped' | 'session' | 'keyless' | 'optional' | 'public';
  /** Roles of `session`; empty otherwise. */
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
  /** Parameters of the query string under which other scopes serve as well; `scoped` endpoints only. */
  readonly scopesUnder?: ScopesUnder;
  readonly class: EndpointClass;
  /** Names of the limits that apply besides the plan windows; where anybody is let in, in place of the public limit. */
  readonly limits: readonly string[];
  /** `body`: the body is read whole and parsed before the rate-limit decision, which may count what it holds. */
  readonly cost: 'request' | 'body';
  /** `open`: any web page may read the answer, without credentials; `own`: pages of the service's own domains only. */
  readonly cors: 'open' | 'own';
  /** Whether a cookie of a session that has ended is let through as nobody; `session` endpoints only. */
  readonly endedSession: 'refused' | 'accepted';
  /** Methods that this path answers, for `Allow`; set when the method did not match. */
  readonly allow: readonly string[] | null;
}
