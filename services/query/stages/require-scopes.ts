/**
 * Decides the rule that the gateway left open: whether the caller holds the scopes for the selector of each request
 * object.
 */
import type { GrantedCaller } from '../../shared/access/grant.ts';
import { missingScopeUnder, type Selector } from '../../shared/access/scope-rule.ts';
import { insufficientScope, scopeText } from '../../shared/errors/insufficient-scope.ts';

/** A request object: its selector, and its place in a batch. */
export interface Asked {
  readonly selector: Selector | null;
  /** `[2]`; empty for a request object that is not in a batch. */
  readonly prefix: string;
}

/**
 * @throws ApiError INSUFFICIENT_SCOPE when the caller may not ask one of the request objects; for a batch it lists all of
 * them
 */
export function requireScopes({ grant, scopes }: GrantedCaller, asked: readonly Asked[]): void {
  if (grant.access !== 'scoped') return;
  const lacking = asked.flatMap(({ selector, prefix }) => {
    const missing = missingScopeUnder(grant, scopes, selector);
    return missing === null ? [] : [{ missing, field: prefix }];
  });
  const [first] = lacking;
  if (first === undefined) return;
  const inBatch = lacking.filter(({ field }) => field !== '');
  throw insufficientScope(
    first.missing,
    inBatch.map(({ field, missing }) => ({ field, message: scopeText(missing) })),
  );
}
