/** Runs a plan on the engine of the events. */
import type { EventReach } from '../shared/ports/event-store.ts';
import type { QueryPorts } from './query-ports.ts';
import { compilerFor } from './stages/compiler.ts';
import type { QueryPlan } from './stages/query-plan.ts';
import type { Run } from './stages/run.ts';

/** What compiles and runs a plan. */
export function runnerOf({ events }: Pick<QueryPorts, 'events'>): Run<QueryPlan> {
  const compile = compilerFor(events.engine);
  return (plan, signal) => events.run(compile(plan), { reach: reachOf(plan), signal });
}

function reachOf({ reach, range }: QueryPlan): EventReach {
  const { organizationId, websiteIds, organizationEvents } = reach;
  return { organizationId, websiteIds, organizationEvents, range };
}
