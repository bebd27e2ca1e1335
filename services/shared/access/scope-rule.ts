/** The one rule which scope a caller lacks, for the gateway and for the services behind it. */
import type { Scope } from './scopes.ts';

/**
 * Scopes by the name of a parameter of the query string: where it stands, holding all of these does too, in place of the
 * scopes that are needed otherwise.
 */
export type ScopesUnder = Readonly<Record<string, readonly Scope[]>>;

export interface ScopeRule {
  /** All of them are needed. */
  readonly scopes: readonly Scope[];
  readonly scopesUnder?: ScopesUnder;
}

/** The first needed scope that is not held, or null when the caller may ask; `url` is path and query string. */
export function missingScope(rule: ScopeRule, held: readonly Scope[], url: string): Scope | null {
  const missing = rule.scopes.find((scope) => !held.includes(scope));
  if (missing === undefined || rule.scopesUnder === undefined) return missing ?? null;
  const start = url.indexOf('?');
  const parameters = new URLSearchParams(start < 0 ? '' : url.slice(start));
  const serves = Object.entries(rule.scopesUnder).some(
    ([name, scopes]) => parameters.has(name) && scopes.every((scope) => held.includes(scope)),
  );
  return serves ? null : missing;
}
