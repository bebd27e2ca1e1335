/** Runs plans over the events, and the plans that they are compared with. */
import type { EventReach, RawRow } from '../shared/ports/event-store.ts';
import type { QueryPorts } from './query-ports.ts';
import { planOfBundle, rowsOfLists } from './stages/bundle-lists.ts';
import { keyOf, type RawRows } from './stages/compared-rows.ts';
import { compileDuckDb } from './stages/compile-duckdb.ts';
import type { QueryPlan } from './stages/query-plan.ts';
import type { Run } from './stages/run.ts';

type EventPorts = Pick<QueryPorts, 'events'>;

/** What compiles and runs a plan by itself. */
export function runnerOf({ events }: EventPorts): Run<QueryPlan> {
  return (plan, signal) => events.run(compileDuckDb(plan), { reach: reachOf(plan), signal });
}

/** Rows of lists are looked up in the other period when they are known; the rest of both periods runs at once. */
export function comparingRunnerOf(ports: EventPorts): Run<QueryPlan, RawRows> {
  const run = bundleRunnerOf(ports);
  return async (plan, signal) => (await run([plan], signal))[0] ?? { rows: [], others: [] };
}

/** The same for plans that one statement answers, as bundleLists() tells; a single plan is read by its own. */
export function bundleRunnerOf(ports: EventPorts): Run<readonly QueryPlan[], readonly RawRows[]> {
  const run = runnerOf(ports);
  const runAll = async (
    plans: readonly QueryPlan[],
    signal: AbortSignal,
  ): Promise<readonly (readonly RawRow[])[]> => {
    const [first, ...more] = plans;
    if (!first) return [];
    if (more.length === 0) return [await run(first, signal)];
    const bundle = planOfBundle([first, ...more]);
    return rowsOfLists(plans, bundle, await run(bundle, signal));
  };
  return async (plans, signal) => {
    const [only] = plans;
    const other = plans.length === 1 ? only?.compared?.plan : undefined;
    if (only && other && !other.keys) {
      const [rows, others] = await Promise.all([run(only, signal), run(other, signal)]);
      return [{ rows, others }];
    }
    const own = await runAll(plans, signal);
    const compared = new Map<QueryPlan, QueryPlan>();
    for (const [index, plan] of plans.entries()) {
      const keys = (own[index] ?? []).map((row) => keyOf(plan, row));
      if (plan.compared?.plan && keys.length > 0) compared.set(plan, { ...plan.compared.plan, keys });
    }
    const others = await runAll([...compared.values()], signal);
    const places = [...compared.keys()];
    return plans.map((plan, index) => ({
      rows: own[index] ?? [],
      others: others[places.indexOf(plan)] ?? [],
    }));
  };
}

function reachOf({ reach, range }: QueryPlan): EventReach {
  const { organizationId, websiteIds, organizationEvents } = reach;
  return { organizationId, websiteIds, organizationEvents, range };
}
