/** Bounds how often a schema judges one value of a body, so that no small body takes time beyond measure. */
import { SchemaFault, type Steps, stepsOf, valueAt } from './schema-fault.ts';

/** Most times that one value of a body may be judged. */
export const MOST_JUDGEMENTS = 1_000;
/** How deep JSON is taken. */
const DEEPEST = 64;

/**
 * What a subschema judges: the same value; the same value in place of other choices; properties or elements, each by one of
 * those of its lane (`properties`, `elements`); or any of them (`anyProperty`, `anyElement`).
 */
type Lane = 'same' | 'choice' | 'properties' | 'elements' | 'anyProperty' | 'anyElement';

const SAME = ['$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];
const LANES: ReadonlyMap<string, Lane> = new Map<string, Lane>([
  ...[...SAME, 'dependentSchemas', 'dependencies'].map((name) => [name, 'same'] as const),
  ...['then', 'else'].map((name) => [name, 'choice'] as const),
  ...['properties', 'additionalProperties'].map((name) => [name, 'properties'] as const),
  ...['patternProperties', 'propertyNames', 'unevaluatedProperties'].map(
    (name) => [name, 'anyProperty'] as const,
  ),
  ...['prefixItems', 'items'].map((name) => [name, 'elements'] as const),
  ...['contains', 'unevaluatedItems'].map((name) => [name, 'anyElement'] as const),
]);
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies'];

interface Edge {
  readonly lane: Lane;
  readonly to: Node;
}

/** A schema in the document. */
interface Node {
  readonly steps: Steps;
  readonly edges: Edge[];
  /** The same number for schemas that lead to each other. */
  circle: number;
  isOnCircle: boolean;
}

/**
 * Refuses a schema that judges a value more than MOST_JUDGEMENTS times, or by more ways at each level of a body that nests.
 * @throws SchemaFault
 */
export function requireBoundedCost(root: object, start: Steps): void {
  const nodes = graphOf(root, start);
  findCircles(nodes);
  const ways = { properties: new Map<Node, number>(), elements: new Map<Node, number>() };
  for (const node of nodes) {
    const most = Math.max(
      waysOn(node, 'properties', ways.properties),
      waysOn(node, 'elements', ways.elements),
    );
    if (most > 1) {
      throw new SchemaFault(
        'comes back to itself by more than one branch that judges the same values, so each level of a body would multiply the work: write what nests once, outside of the branches, or choose one branch with if, then and else',
        node.steps,
      );
    }
  }
  requireFewJudgements(nodes);
}

function graphOf(root: object, start: Steps): Node[] {
  const nodes = new Map<string, Node>();
  const nodeAt = (steps: Steps): Node => {
    const key = JSON.stringify(steps.map(String));
    const known = nodes.get(key);
    if (known !== undefined) return known;
    const node: Node = { steps, edges: [], circle: -1, isOnCircle: false };
    nodes.set(key, node);
    const schema = valueAt(root, steps);
    if (typeof schema !== 'object' || schema === null) return node;
    if (steps.length > 0 && Object.hasOwn(schema, '$id'))
      throw new SchemaFault('stands inside of a schema: references are read from the root', [
        ...steps,
        '$id',
      ]);
    for (const [name, value] of Object.entries(schema)) {
      const lane = LANES.get(name);
      if (lane === undefined) continue;
      for (const to of placesOf(root, [...steps, name], name, value))
        node.edges.push({ lane, to: nodeAt(to) });
    }
    return node;
  };
  nodeAt(start);
  return [...nodes.values()];
}

function placesOf(root: object, at: Steps, name: string, value: unknown): Steps[] {
  if (REFERENCES.includes(name)) {
    if (typeof value !== 'string') return [];
    return value === '#' || value.startsWith('#/') ? [stepsOf(value)] : anchors(root, value.slice(1));
  }
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.map((_, index) => [...at, index]);
  return MAPS.includes(name) ? Object.keys(value).map((key) => [...at, key]) : [at];
}

/** Every place that has this anchor. */
function anchors(value: unknown, anchor: string, at: Steps = []): Steps[] {
  if (typeof value !== 'object' || value === null) return [];
  const { $anchor, $dynamicAnchor } = value as Record<string, unknown>;
  const inside = Object.entries(value).flatMap(([name, one]) => anchors(one, anchor, [...at, name]));
  return $anchor === anchor || $dynamicAnchor === anchor ? [at, ...inside] : inside;
}

/** Marks which schemas lead to each other (Tarjan's strongly connected components). */
function findCircles(nodes: readonly Node[]): void {
  const low = new Map<Node, number>();
  const open: Node[] = [];
  const visit = (node: Node): number => {
    const index = low.size;
    low.set(node, index);
    open.push(node);
    let lowest = index;
    for (const { to } of node.edges) {
      if (!low.has(to)) lowest = Math.min(lowest, visit(to));
      else if (to.circle < 0) lowest = Math.min(lowest, low.get(to) as number);
    }
    low.set(node, lowest);
    if (lowest === index) {
      const members = open.splice(open.indexOf(node));
      const isOnCircle = members.length > 1 || node.edges.some(({ to }) => to === node);
      for (const member of members) Object.assign(member, { circle: index, isOnCircle });
    }
    return lowest;
  };
  for (const node of nodes) if (!low.has(node)) visit(node);
}

/** By how many ways a property, or an element, of the value that `node` judges comes to its circle again. */
function waysOn(node: Node, kind: 'properties' | 'elements', known: Map<Node, number>): number {
  const before = known.get(node);
  if (Number.isNaN(before)) {
    throw new SchemaFault('refers to itself without a step into the value, which never ends', node.steps);
  }
  if (before !== undefined) return before;
  known.set(node, Number.NaN);
  let [ways, choice, own] = [0, 0, 0];
  for (const { lane, to } of node.edges) {
    if (to.circle !== node.circle) continue;
    if (lane === 'same') ways += waysOn(to, kind, known);
    else if (lane === 'choice') choice = Math.max(choice, waysOn(to, kind, known));
    else if (lane === kind) own = 1;
    else if (lane === (kind === 'properties' ? 'anyProperty' : 'anyElement')) ways++;
  }
  known.set(node, ways + choice + own);
  return ways + choice + own;
}

/** Counts how often a value is judged; where a circle goes down beside others, those judge it once for each level above. */
function requireFewJudgements(nodes: readonly Node[]): void {
  const known = new Map<Node, { times: number; height: number }>();
  const circles = new Map<number, Node[]>();
  for (const node of nodes) circles.set(node.circle, [...(circles.get(node.circle) ?? []), node]);
  const whole = (node: Node) => {
    if (!node.isOnCircle) return own(node);
    const times = Math.max(...(circles.get(node.circle) ?? []).map((one) => own(one).times));
    return { times, height: DEEPEST };
  };
  const own = (node: Node): { times: number; height: number } => {
    const before = known.get(node);
    if (before !== undefined) return before;
    let [sum, choice, properties, elements, height] = [0, 0, 0, 0, 0];
    const isPlain = node.edges.every((edge) => edge.to.circle !== node.circle || isApart(edge.lane));
    for (const { lane, to } of node.edges) {
      const isSame = lane === 'same' || lane === 'choice';
      let times = 1;
      if (to.circle === node.circle) {
        if (isSame) times = own(to).times;
      } else {
        const found = whole(to);
        const isRepeated = node.isOnCircle && !(isPlain && isApart(lane));
        times = found.times * (isRepeated ? Math.min(DEEPEST, found.height + 1) : 1);
        height = Math.max(height, found.height + (isSame ? 0 : 1));
      }
      if (lane === 'choice') choice = Math.max(choice, times);
      else if (lane === 'properties') properties = Math.max(properties, times);
      else if (lane === 'elements') elements = Math.max(elements, times);
      else sum += times;
    }
    const times = Math.max(1, sum + choice + Math.max(properties, elements));
    if (times > MOST_JUDGEMENTS) {
      throw new SchemaFault(
        `may judge one value more than ${MOST_JUDGEMENTS} times, since its branches multiply: use fewer of them, or choose one with if, then and else`,
        node.steps,
      );
    }
    const found = { times, height: Math.min(DEEPEST, height) };
    known.set(node, found);
    return found;
  };
  for (const node of nodes) own(node);
}

/** Whether each property or element is judged by one subschema of the lane alone. */
function isApart(lane: Lane): boolean {
  return lane === 'properties' || lane === 'elements';
}
