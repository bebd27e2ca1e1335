/** What changes for whom between two checked configurations, however either is written. */
import type { Configuration } from '../configuration.ts';
import type { Change } from './change.ts';
import { diffBackends } from './diff-backends.ts';
import { diffLimits } from './diff-limits.ts';
import { diffRoutes } from './diff-routes.ts';
import { diffScopes } from './diff-scopes.ts';

/** Routes first, then scopes, limits and backends. Secrets of either configuration are concealed. Empty: nobody notices a difference. */
export function diffConfigurations(before: Configuration, after: Configuration): Change[] {
  const changes = [
    ...diffRoutes(before, after),
    ...diffScopes(before, after),
    ...diffLimits(before.plans, after.plans),
    ...diffBackends(before, after),
  ];
  return before.secrets.conceal(after.secrets.conceal(changes));
}
