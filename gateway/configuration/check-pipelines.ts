/** Checks pipelines: each endpoint is in exactly one of them, and requests that no endpoint answers end in not-found. */
import { checkName, type DeclaredEndpoint } from './check-endpoints.ts';
import { checkSteps, type StepSurroundings } from './check-steps.ts';
import type { Pipeline } from './configuration.ts';
import type { Cursor } from './cursor.ts';
import { shown } from './faults.ts';
import { TERMINALS } from './policy-order.ts';

const REFUSED = { apiEndpoint: 'write "apiEndpoints" with a list', policy: 'write "policies" with a list' };

/** The checked pipelines. */
export interface CheckedPipelines {
  readonly pipelines: readonly Pipeline[];
  /** Pipeline by endpoint name. */
  readonly pipelineOf: ReadonlyMap<string, string>;
}

/** Every pipeline of the file; an endpoint without one is reported where it is declared. */
export function checkPipelines(
  cursor: Cursor,
  endpoints: readonly DeclaredEndpoint[],
  surroundings: Omit<StepSurroundings, 'needsScopes' | 'needsBody'>,
): CheckedPipelines {
  const pipelineOf = new Map<string, string>();
  const pipelines: Pipeline[] = [];
  const known = new Set(endpoints.map((endpoint) => endpoint.name));
  const names = cursor.keys('map of pipelines by name');
  for (const name of names ?? []) {
    const place = cursor.at(name);
    checkName(place, name);
    if (!place.map('map of one pipeline', ['apiEndpoints', 'policies'], REFUSED)) continue;
    const own = checkPipelineEndpoints(place.at('apiEndpoints'), name, known, pipelineOf);
    const owned = new Set(own);
    const answered = endpoints.filter((endpoint) => owned.has(endpoint.name));
    const needsScopes = answered.some(({ access }) => ['scoped', 'keyless', 'session'].includes(access));
    const needsBody = answered.some((endpoint) => endpoint.cursor.at('cost').value !== undefined);
    const steps = checkSteps(place.at('policies'), { ...surroundings, needsScopes, needsBody });
    pipelines.push({ name, endpoints: own, steps });
  }
  for (const endpoint of names ? endpoints : []) {
    if (pipelineOf.has(endpoint.name)) continue;
    endpoint.cursor.report('is in no pipeline, so nothing answers it', {
      came: endpoint.name,
      allowed: names ?? [],
      candidates: [],
    });
  }
  return { pipelines, pipelineOf };
}

function checkPipelineEndpoints(
  cursor: Cursor,
  pipeline: string,
  known: ReadonlySet<string>,
  pipelineOf: Map<string, string>,
): string[] {
  const items = cursor.list('a list of endpoints');
  if (items?.length === 0)
    cursor.report('is an empty list', { allowed: ['at least one endpoint'], candidates: [] });
  const own: string[] = [];
  for (const item of items ?? []) {
    const name = item.value;
    if (typeof name !== 'string' || !known.has(name)) {
      if (known.size > 0)
        item.report(`${shown(name)} is not a declared apiEndpoint`, { allowed: [...known] });
      continue;
    }
    const other = pipelineOf.get(name);
    if (other !== undefined) {
      const text =
        other === pipeline ? 'appears twice in this list' : `is already in the pipeline "${other}"`;
      item.report(`"${name}" ${text}`, { candidates: [] });
      continue;
    }
    pipelineOf.set(name, pipeline);
    own.push(name);
  }
  return own;
}

/** One endpoint answers everything that no other does, so that unknown paths are counted like any request. */
export function checkCatchAll(
  cursor: Cursor,
  endpoints: readonly DeclaredEndpoint[],
  { pipelines, pipelineOf }: CheckedPipelines,
): void {
  const candidates = endpoints.filter(
    (endpoint) => endpoint.paths.includes('/*') && endpoint.host === null && endpoint.hostRegex === null,
  );
  const [last] = candidates.slice(-1);
  if (last === undefined) {
    const faulty = endpoints.some((endpoint) => !endpoint.sound);
    if (!faulty && endpoints.length > 0) {
      cursor.report('there is no catch-all endpoint', {
        came: undefined,
        allowed: [
          'a last one with paths: /*, access: optional, no methods and no host, in a pipeline that ends in not-found',
        ],
      });
    }
    return;
  }
  const { cursor: place, methods, access, hasRule, name, paths } = last;
  if (paths.length > 1)
    place
      .at('paths')
      .report('has more than /*, which answers all of them', { allowed: ['/*'], candidates: [] });
  if (methods !== null) {
    place.at('methods').report('the endpoint of /* answers every method; remove methods', { candidates: [] });
  }
  if (hasRule && access !== 'optional') {
    place
      .at('scopes')
      .report('the endpoint of /* answers undeclared paths; write access: optional', { candidates: [] });
  }
  for (const later of endpoints.slice(endpoints.indexOf(last) + 1)) {
    if (later.pathRegex === null || later.host !== null || later.hostRegex !== null) continue;
    later.cursor.report(
      `no request reaches it: "${name}" (/*) answers before it; declare "${later.name}" before "${name}"`,
      {
        came: later.name,
      },
    );
  }
  const pipeline = pipelines.find((one) => one.name === pipelineOf.get(name));
  const answer = pipeline?.steps.find((step) => TERMINALS.includes(step.policy))?.policy;
  if (answer !== undefined && answer !== 'not-found') {
    place.report(`its pipeline "${pipeline?.name}" ends in "${answer}"`, {
      came: answer,
      allowed: ['not-found'],
      candidates: [],
    });
  }
}
