/** Judges the state of a saved view by the rules of queries: a view that cannot be queried is not kept. */
import { ApiError, type ErrorDetail } from '../../shared/errors/api-error.ts';
import type { ViewState } from '../../shared/model/saved-view.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { JudgeViewState } from '../../shared/ports/judge-view-state.ts';
import type { Dataset } from '../catalogue/dataset.ts';
import { DATASETS, DATASETS_BY_NAME } from '../datasets/index.ts';
import { NO_DEFINITIONS } from '../stages/definitions.ts';
import { createFaults, type Faults } from '../stages/faults.ts';
import { planFilters } from '../stages/fields.ts';
import { namesOf } from '../stages/names.ts';
import { type ParsedRequest, parseRequest } from '../stages/parse.ts';
import { planCall } from '../stages/plan.ts';
import { createZones } from '../stages/zones.ts';

/** Where faults are: the field of a body. */
const PLACE = 'state';
/** What the dates and the range of a view are judged for: any dataset would do that takes its range from the request. */
const ANY = ['summary_metrics'];
/** Nothing runs: it only takes what plans take. */
const NOWHERE = { organizationId: '', websiteIds: [], organizationEvents: false };

export function createJudgeViewState(clock: Clock): JudgeViewState {
  return async (state) => {
    const faults = createFaults();
    const request = requestOf(state, clock.now(), faults);
    if (request !== null && faults.isEmpty()) await addRefusals(request, clock.now(), faults);
    return detailsOf(faults);
  };
}

/** The request of a view's own query, for these datasets; null with faults. `display` is no part of it. */
export function requestOf(
  { display: _display, ...query }: ViewState,
  now: number,
  faults: Faults,
  parameters: readonly string[] = ANY,
): ParsedRequest | null {
  const element = { ...query, parameters };
  const names = namesOf(element, {}, PLACE, faults);
  const zone = createZones(faults)(names.timezone);
  const [request] = parseRequest(element, { prefix: PLACE, names, zone, now, dates: {}, faults });
  return request ?? null;
}

/** Refusals of single datasets: a view is kept when one dataset can be asked for with it, and a series has its buckets. */
async function addRefusals(request: ParsedRequest, now: number, faults: Faults): Promise<void> {
  const takesFilters = (dataset: Dataset) => !('refused' in planFilters(request.filters, dataset));
  const able = DATASETS.filter(takesFilters);
  if (able.length === 0) {
    faults.add(`${PLACE}.filters`, refusalOf(request));
    return;
  }
  const series = able.find(({ kind }) => kind === 'series');
  const [asked] = request.parameters;
  // How long all time is depends on the events that there are when it is asked.
  if (series === undefined || asked?.startsAtFirstEvent) return;
  const name = series.names[0] as string;
  const requests = [{ ...request, parameters: [{ ...asked, name }] as ParsedRequest['parameters'] }];
  const { signal } = new AbortController();
  const { plans } = await planCall({
    catalogue: DATASETS_BY_NAME,
    requests,
    reaches: [NOWHERE],
    definitions: NO_DEFINITIONS,
    now,
    signal,
  });
  const plan = plans[0]?.[0];
  if (plan !== undefined && 'refused' in plan) faults.add(`${PLACE}.granularity`, plan.refused);
}

/** Why no dataset takes the filters: the first that none takes, else that none takes them together. */
function refusalOf({ filters }: ParsedRequest): string {
  for (const filter of filters) {
    const refusals = DATASETS.map((dataset) => planFilters([filter], dataset));
    const [first] = refusals;
    if (first && 'refused' in first && refusals.every((one) => 'refused' in one)) return first.refused;
  }
  return 'No dataset takes all of these filters together.';
}

function detailsOf(faults: Faults): readonly ErrorDetail[] {
  try {
    faults.throwIfAny();
    return [];
  } catch (thrown) {
    if (thrown instanceof ApiError) return thrown.details;
    throw thrown;
  }
}
