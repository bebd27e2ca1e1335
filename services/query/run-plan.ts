/** Runs a plan over the events, and the plan that it is compared with. */
import type { EventReach } from '../shared/ports/event-store.ts';
import type { QueryPorts } from './query-ports.ts';
import { keyOf, type RawRows } from './stages/compared-rows.ts';
import { compileDuckDb } from './stages/compile-duckdb.ts';
import type { QueryPlan } from './stages/query-plan.ts';
import type { Run } from './stages/run.ts';

/** What compiles and runs a plan by itself. */
export function runnerOf({ events }: Pick<QueryPorts, 'events'>): Run<QueryPlan> {
  return (plan, signal) => events.run(compileDuckDb(plan), { reach: reachOf(plan), signal });
}

/** Rows of lists are looked up in the other period when they are known; the rest of both periods runs at once. */
export function comparingRunnerOf(ports: Pick<QueryPorts, 'events'>): Run<QueryPlan, RawRows> {
  const run = runnerOf(ports);
  return async (plan, signal) => {
    const other = plan.compared?.plan;
    if (!other) return { rows: await run(plan, signal), others: [] };
    if (!other.keys) {
      const [rows, others] = await Promise.all([run(plan, signal), run(other, signal)]);
      return { rows, others };
    }
    const rows = await run(plan, signal);
    const keys = rows.map((row) => keyOf(plan, row));
    return { rows, others: keys.length === 0 ? [] : await run({ ...other, keys }, signal) };
  };
}

function reachOf({ reach, range }: QueryPlan): EventReach {
  const { organizationId, websiteIds, organizationEvents } = reach;
  return { organizationId, websiteIds, organizationEvents, range };
}
