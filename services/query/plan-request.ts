/** Takes a call through the stages that answering and compiling share: parse → known names → resolve → first events → plan. */
import { DATASETS_BY_NAME } from './datasets/index.ts';
import type { QueryPorts } from './query-ports.ts';
import { runnerOf } from './run-plan.ts';
import { readDefinitions } from './stages/definitions.ts';
import type { Faults } from './stages/faults.ts';
import { type DatedRequest, dateRequests } from './stages/first-events.ts';
import { requireKnownName } from './stages/known-names.ts';
import { type CallInput, type ParsedCall, type ParsedRequest, parseCall } from './stages/parse.ts';
import { type PlannedCall, planCall } from './stages/plan.ts';
import { resolveReaches } from './stages/resolve.ts';

export interface Call extends CallInput {
  readonly signal: AbortSignal;
}

/** The request, and how it is answered. */
export interface PlannedRequest extends ParsedCall, PlannedCall {
  readonly requests: readonly DatedRequest[];
}

/**
 * `faults`: those found before.
 * @throws ApiError when the whole call is refused; faults of single datasets replace their plans
 */
export async function planRequest(call: Call, ports: QueryPorts, faults?: Faults): Promise<PlannedRequest> {
  const { caller, signal } = call;
  const now = ports.clock.now();
  const parsed = parseCall({ ...call, now, faults });
  requireKnownName(parsed, DATASETS_BY_NAME);
  const reaches = await resolveReaches(parsed.requests.map(withWhatItAsks), caller, ports);
  const source = { documents: ports.documents, signal };
  const definitions = await readDefinitions(parsed.requests, reaches, DATASETS_BY_NAME, source);
  const run = runnerOf(ports);
  const requests = await dateRequests({ requests: parsed.requests, reaches, run, now, signal });
  const planned = await planCall({
    catalogue: DATASETS_BY_NAME,
    requests,
    reaches,
    definitions,
    now,
    signal,
  });
  return { ...parsed, requests, ...planned };
}

function withWhatItAsks({ selectors, parameters }: ParsedRequest) {
  const tellsWebsitesApart = parameters.every(({ name }) => DATASETS_BY_NAME.get(name)?.ofWebsites);
  return { selectors, tellsWebsitesApart };
}
