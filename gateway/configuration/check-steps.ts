/** Checks the policies of one pipeline: their shape, parameters, conditions and order. */
import { checkCondition } from './check-conditions.ts';
import type { DeclaredPolicies } from './check-policies.ts';
import type { PipelineStep } from './configuration.ts';
import { type Cursor, isMap } from './cursor.ts';
import { shown } from './faults.ts';
import { ALWAYS_NEEDED, CALLERS, ORDER_TEXT, orderOf, TERMINALS } from './policy-order.ts';
import { parseWritten } from './schema-faults.ts';

/** A policy of a pipeline and its place in the file. */
interface PlacedPolicy {
  readonly name: string;
  readonly cursor: Cursor;
}

/** The context in which a pipeline's policies are checked. */
export interface StepSurroundings {
  readonly declared: DeclaredPolicies;
  readonly serviceNames: readonly string[];
  /** Whether an endpoint of the pipeline requires scopes. */
  readonly needsScopes: boolean;
  /** Whether an endpoint of the pipeline counts the contents of its body. */
  readonly needsBody: boolean;
  /** Collects what the pipelines use. */
  readonly usedPolicies: Set<string>;
  readonly usedServices: Set<string>;
  /** Collects the steps whose parameters are judged once the whole configuration is known. */
  readonly placedSteps: PlacedStep[];
}

/** A valid step, and where its parameters stand in the file. */
export interface PlacedStep {
  readonly step: PipelineStep;
  readonly action: Cursor;
}

/** The valid steps of the list at `cursor`. */
export function checkSteps(cursor: Cursor, surroundings: StepSurroundings): PipelineStep[] {
  const items = cursor.list('a list of policies, each written "- name:"');
  if (!items) return [];
  if (items.length === 0) {
    cursor.report('is an empty list', { allowed: [ORDER_TEXT], candidates: [] });
    return [];
  }
  const placed = items
    .map((item) => placePolicy(item, surroundings.usedPolicies))
    .filter((policy) => policy !== null);
  if (placed.length === items.length) checkOrder(cursor, placed, surroundings);
  return placed.flatMap((policy) => checkPolicy(policy, surroundings));
}

/** The one policy of an item; policies of a malformed item count as used, so that one mistake is one fault. */
function placePolicy(item: Cursor, usedPolicies: Set<string>): PlacedPolicy | null {
  const keys = isMap(item.value) ? Object.keys(item.value) : [];
  for (const key of typeof item.value === 'string' ? [item.value] : keys) usedPolicies.add(key);
  const [name] = keys;
  if (name !== undefined && keys.length === 1) return { name, cursor: item.at(name) };
  const came =
    keys.length > 1
      ? `names ${keys.length} policies (${keys.join(', ')})`
      : `${shown(item.value)} is not a step`;
  item.report(keys.length > 1 ? `${came}; express-gateway would run only the first` : came, {
    allowed: ['one policy, written "- name:"'],
    candidates: [],
  });
  return null;
}

function checkPolicy({ name, cursor }: PlacedPolicy, surroundings: StepSurroundings): PipelineStep[] {
  const { declared, usedPolicies } = surroundings;
  usedPolicies.add(name);
  if (!declared.names.includes(name)) {
    cursor.report(`the policy "${name}" is not declared: add it to policies`, {
      came: name,
      allowed: declared.names,
    });
  }
  const ordered = orderOf(name) !== undefined;
  const places = placesOf(cursor);
  if (ordered && places.length > 1) {
    cursor.report(`has ${places.length} steps, but it must run once`, {
      allowed: ['one step'],
      candidates: [],
    });
  }
  return places.flatMap((place) => checkStep(name, place, ordered, surroundings) ?? []);
}

/** The places of a policy's steps: nothing, one map, or a list of maps. */
function placesOf(cursor: Cursor): Cursor[] {
  if (!Array.isArray(cursor.value)) return [cursor];
  if (cursor.value.length === 0)
    cursor.report('is an empty list of steps', { allowed: ['nothing', 'a step'], candidates: [] });
  return cursor.value.map((_, index) => cursor.at(index));
}

function checkStep(
  policy: string,
  cursor: Cursor,
  ordered: boolean,
  { declared, serviceNames, usedServices, placedSteps }: StepSurroundings,
): PipelineStep | null {
  const given = cursor.value ?? {};
  if (!isMap(given)) {
    cursor.report(`${shown(given)} is not a step`, { allowed: ['action', 'condition'], candidates: [] });
    return null;
  }
  if (cursor.value !== null) cursor.map('step', ['action', 'condition']);

  const place = cursor.at('condition');
  const unconditional = ordered || declared.offered.get(policy)?.unconditional === true;
  if (unconditional && place.value !== undefined) {
    place.report(`"${policy}" takes no condition: when it does not hold, the protection would be skipped`, {
      candidates: [],
    });
  }
  const condition =
    unconditional || place.value === undefined ? null : checkCondition(place, declared.conditions);

  const action = cursor.at('action');
  const written = action.value ?? {};
  if (!isMap(written)) {
    action.report(`${shown(written)} is not a map of parameters`, { candidates: [] });
    return null;
  }
  const schema = declared.offered.get(policy)?.schema;
  const read = schema
    ? parseWritten<Record<string, unknown>>(action, schema, written)
    : { parsed: written, written };
  const target = policy === 'proxy' ? written.serviceEndpoint : undefined;
  if (typeof target === 'string') {
    usedServices.add(target);
    if (!serviceNames.includes(target)) {
      action
        .at('serviceEndpoint')
        .report(`${shown(target)} is not a declared serviceEndpoint`, { allowed: serviceNames });
    }
  }
  const backends = declared.offered.get(policy)?.backends;
  // Faulty parameters name nobody knows which, so that one mistake is one fault.
  const chosen = read === undefined ? serviceNames : backends?.(read.parsed);
  if (backends !== undefined) for (const name of chosen ?? []) usedServices.add(name);
  if (read === undefined) return null;
  const parameters = read.parsed;
  const step = { policy, condition, action: isMap(read.written) ? read.written : written, parameters };
  placedSteps.push({ step, action });
  return step;
}

function checkOrder(
  cursor: Cursor,
  placed: readonly PlacedPolicy[],
  { needsScopes, needsBody }: StepSurroundings,
): void {
  const order = { allowed: [ORDER_TEXT], candidates: [] };
  const names = placed.map((policy) => policy.name);
  const terminal = names.findIndex((name) => TERMINALS.includes(name));
  const first = names.findIndex((name) => CALLERS.includes(name));
  let latest: string | undefined;
  placed.forEach(({ name, cursor: place }, index) => {
    const rank = orderOf(name);
    if (names.indexOf(name) < index && rank !== undefined) {
      place.report(`"${name}" appears twice in this pipeline`, { came: name, ...order });
    } else if (terminal !== -1 && index > terminal) {
      place.report(`"${name}" comes after "${names[terminal]}", which answers the request`, {
        came: name,
        ...order,
      });
    } else if (CALLERS.includes(name) && index > first) {
      const text = `"${name}" stands beside "${names[first]}"; one of them says who calls`;
      place.report(text, { came: name, ...order });
    } else if (rank === undefined) {
      if (first > index) place.report(`"${name}" comes before "${names[first]}"`, { came: name, ...order });
    } else {
      if (latest !== undefined && rank < (orderOf(latest) ?? 0)) {
        place.report(`"${name}" comes after "${latest}"`, { came: name, ...order });
      } else latest = name;
    }
  });
  if (first === -1) {
    const text = `"${CALLERS[0]}" is missing; every pipeline needs it, or "${CALLERS[1]}" in its place`;
    cursor.report(text, { came: names, ...order });
  }
  for (const needed of ALWAYS_NEEDED) {
    if (!names.includes(needed))
      cursor.report(`"${needed}" is missing; every pipeline needs it`, { came: names, ...order });
  }
  if (needsScopes && !names.includes('scopes')) {
    cursor.report('"scopes" is missing; an endpoint of this pipeline requires scopes', {
      came: names,
      ...order,
    });
  }
  if (names.includes('proxy') && !names.includes('body')) {
    cursor.report('"body" is missing; a pipeline with "proxy" needs it', { came: names, ...order });
  } else if (needsBody && !names.includes('body')) {
    cursor.report('"body" is missing; an endpoint of this pipeline has a cost that is read from the body', {
      came: names,
      ...order,
    });
  }
  if (terminal === -1) {
    cursor.report('it does not end with a policy that answers', {
      came: names.at(-1),
      allowed: TERMINALS,
      candidates: [],
    });
  }
}
