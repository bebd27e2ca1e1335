/** Who may ask an endpoint, as data: for readers who say it in a language of their own. */
import { ROLES } from '../../services/shared/model/user.ts';
import type { ApiEndpoint } from './configuration.ts';

/** One way to be let in; any of them will do. */
export interface Admission {
  /**
   * All of these are needed: scopes, or a role of a session, `operator`, `key` (any valid key), `credential` (any valid key or
   * session), `nobody` (no credential), `public`, `optional` (a credential is read and not needed), `pages` (of the own domains).
   */
  readonly needs: readonly string[];
  /** The selector that the request names for it; null: any or none. */
  readonly under: string | null;
}

const admission = (needs: readonly string[], under: string | null = null): Admission => ({ needs, under });

/** Those of an endpoint that answers. */
export function admissionsOf(endpoint: ApiEndpoint): Admission[] {
  const { access, scopes, scopesUnder = {}, roles, operators, origin } = endpoint;
  if (access === 'session') {
    if (operators !== true) return roles.map((role) => admission([role]));
    return roles.length === ROLES.length
      ? [admission(['operator'])]
      : roles.map((role) => admission(['operator', role]));
  }
  if (access === 'keyless') return [admission(scopes), admission(['nobody'])];
  if (access !== 'scoped') return [admission(origin === 'own' ? ['pages'] : [access])];
  const others = Object.entries(scopesUnder).map(([selector, needed]) => admission(needed, selector));
  return [admission(scopes), ...others];
}

/** Those who get 405 for a method that the path does not answer. */
export const WRONG_METHOD_ADMISSIONS = {
  public: [admission(['public'])],
  optional: [admission(['optional'])],
  keyless: [admission(['key']), admission(['nobody'])],
  scoped: [admission(['credential'])],
} as const;
