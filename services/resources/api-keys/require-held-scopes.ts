/** Requires of who gives scopes to a key that they hold them: nobody makes a key that may do more than they may. */
import type { ScopeCatalogue } from '../../shared/access/scope-catalogue.ts';
import type { Scope } from '../../shared/access/scopes.ts';
import { insufficientScope } from '../../shared/errors/insufficient-scope.ts';

/**
 * `held`: the scopes of who asks; undefined for the operator. Scopes that open nothing are given by nobody.
 * @throws ApiError INSUFFICIENT_SCOPE with every scope that is not held
 */
export function requireHeldScopes(
  { ofKeys }: ScopeCatalogue,
  given: readonly Scope[],
  held: readonly Scope[] | undefined,
): void {
  if (held === undefined) return;
  const missing = given.filter((scope) => ofKeys.includes(scope) && !held.includes(scope));
  const [first] = missing;
  if (first === undefined) return;
  throw insufficientScope(
    first,
    missing.map((scope) => ({ field: 'scopes', message: `Only who holds ${scope} can give it to a key.` })),
  );
}
