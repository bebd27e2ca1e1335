/**
 * Decides which scope a caller lacks. The gateway admits callers who may query under some selector; the service decides
 * by the actual one.
 */
import type { Scope } from './scopes.ts';

/** What a query can be about, as named by `scopesUnder` and the query string. */
export const SELECTORS = ['link_id', 'website_id', 'organization_id'] as const;
export type Selector = (typeof SELECTORS)[number];

/** Scopes by selector: a request under that selector may hold all of these in place of the scopes required otherwise. */
export type ScopesUnder = Readonly<Partial<Record<Selector, readonly Scope[]>>>;

/** The scopes of an apiEndpoint, as written in the YAML and carried in the identity token. */
export interface ScopeRule {
  /** All of them are required. */
  readonly scopes: readonly Scope[];
  readonly scopesUnder?: ScopesUnder;
}

/** The first of `scopes` that is not held; null when all are held. */
export function missingScope(scopes: readonly Scope[], held: readonly Scope[]): Scope | null {
  return scopes.find((scope) => !held.includes(scope)) ?? null;
}

/**
 * The first required scope that is missing when the caller may query under no selector at all; null when some selector
 * is allowed.
 */
export function missingUnderAll({ scopes, scopesUnder }: ScopeRule, held: readonly Scope[]): Scope | null {
  const missing = missingScope(scopes, held);
  if (missing === null || scopesUnder === undefined) return missing;
  return Object.values(scopesUnder).some((serving) => missingScope(serving, held) === null) ? null : missing;
}

/** The first required scope that the caller lacks under `selector`, or under none; null when the caller may query. */
export function missingScopeUnder(
  { scopes, scopesUnder = {} }: ScopeRule,
  held: readonly Scope[],
  selector: Selector | null,
): Scope | null {
  const serving = selector === null ? undefined : scopesUnder[selector];
  if (serving !== undefined && missingScope(serving, held) === null) return null;
  return missingScope(scopes, held);
}
