/** Runs plans over the events, and the plans that they are compared with. */
import type { EventReach, RawRow } from '../shared/ports/event-store.ts';
import type { QueryPorts } from './query-ports.ts';
import { planOfLists, rowsOfLists } from './stages/bundle-lists.ts';
import { planOfSeries, rowsOfSeries } from './stages/bundle-series.ts';
import { keyOf, type RawRows } from './stages/compared-rows.ts';
import { compileDuckDb } from './stages/compile-duckdb.ts';
import type { QueryPlan } from './stages/query-plan.ts';
import type { Run } from './stages/run.ts';

type EventPorts = Pick<QueryPorts, 'events'>;

/** What compiles and runs a plan by itself. */
export function runnerOf({ events }: EventPorts): Run<QueryPlan> {
  return (plan, signal) =>
    countsNothing(plan)
      ? Promise.resolve([])
      : events.run(compileDuckDb(plan), { reach: reachOf(plan), signal });
}

/** Of a website without goals no event need be read. */
const countsNothing = ({ sequence }: QueryPlan): boolean =>
  sequence?.kind === 'goals' && sequence.goals.length === 0;

/** Rows of lists are looked up in the other period when they are known; the rest of both periods runs at once. */
export function comparingRunnerOf(ports: EventPorts): Run<QueryPlan, RawRows> {
  const run = bundleRunnerOf(ports);
  return async (plan, signal) => (await run([plan], signal))[0] ?? { rows: [], others: [] };
}

/** The same for plans that one statement answers, as bundlePlans() tells; a single plan is read by its own. */
export function bundleRunnerOf(ports: EventPorts): Run<readonly QueryPlan[], readonly RawRows[]> {
  const run = runnerOf(ports);
  const runAll = async (
    plans: readonly QueryPlan[],
    signal: AbortSignal,
  ): Promise<readonly (readonly RawRow[])[]> => {
    const [first, ...more] = plans;
    if (!first) return [];
    if (more.length === 0) return [await run(first, signal)];
    if (first.kind !== 'list') {
      return rowsOfSeries(plans, await run(planOfSeries([first, ...more]), signal));
    }
    const bundle = planOfLists([first, ...more]);
    return rowsOfLists(plans, bundle, await run(bundle, signal));
  };
  return async (plans, signal) => {
    const counterparts = plans.flatMap(({ compared }) => compared?.plan ?? []);
    if (counterparts.length === plans.length && counterparts.every(({ keys }) => keys === undefined)) {
      const [own, others] = await Promise.all([runAll(plans, signal), runAll(counterparts, signal)]);
      return plans.map((_, index) => ({ rows: own[index] ?? [], others: others[index] ?? [] }));
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
