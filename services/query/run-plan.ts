/** Runs a plan over the events. */
import type { EventReach } from '../shared/ports/event-store.ts';
import type { QueryPorts } from './query-ports.ts';
import { compileDuckDb } from './stages/compile-duckdb.ts';
import type { QueryPlan } from './stages/query-plan.ts';
import type { Run } from './stages/run.ts';

/** What compiles and runs a plan. */
export function runnerOf({ events }: Pick<QueryPorts, 'events'>): Run<QueryPlan> {
  return (plan, signal) => events.run(compileDuckDb(plan), { reach: reachOf(plan), signal });
}

function reachOf({ reach, range }: QueryPlan): EventReach {
  const { organizationId, websiteIds, organizationEvents } = reach;
  return { organizationId, websiteIds, organizationEvents, range };
}
