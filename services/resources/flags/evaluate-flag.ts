/** Evaluates a flag for a caller: a pure function of both, in the order and with the hash of contract.md section 7. */
import type { Flag, FlagRule, FlagVariant, JsonValue } from '../../shared/model/flag.ts';
import { type SearchedText, searchedText } from './searched-text.ts';

/** The reason for a verdict. */
export const FLAG_REASONS = [
  'DEPENDENCY_NOT_SATISFIED',
  'USER_RULE_MATCH',
  'TARGET_GROUP_MATCH',
  'MULTIVARIANT_EVALUATED',
  'ROLLOUT_ENABLED',
  'ROLLOUT_DISABLED',
  'BOOLEAN_DEFAULT',
  'FLAG_NOT_FOUND',
] as const;
export type FlagReason = (typeof FLAG_REASONS)[number];

/** The caller for whom flags are evaluated; what the caller does not state is undefined. */
export interface FlagContext {
  readonly userId?: string | undefined;
  readonly email?: string | undefined;
  readonly organizationId?: string | undefined;
  readonly teamId?: string | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface FlagVerdict {
  readonly enabled: boolean;
  /** Equals `enabled`, except for a variant: then its value. */
  readonly value: JsonValue;
  /** The flag's payload; null unless enabled. */
  readonly payload: JsonValue;
  readonly reason: FlagReason;
  /** Key of the variant. */
  readonly variant?: string;
}

/** A rule prepared for comparing. */
export interface CompiledRule {
  readonly type: FlagRule['type'];
  readonly operator: FlagRule['operator'];
  /** Name of the property; null: the rule means a share of the callers. */
  readonly field: string | null;
  /** That share, 0..100. */
  readonly percentage: number;
  /** The texts compared with; one match is enough. */
  readonly texts: ReadonlySet<string>;
  readonly enabled: boolean;
}

/** The prepared rules of a target group. */
export type CompiledGroup = readonly CompiledRule[];

/** A flag prepared for evaluation. */
export interface CompiledFlag
  extends Pick<Flag, 'key' | 'type' | 'defaultValue' | 'payload' | 'rolloutPercentage' | 'rolloutBy'> {
  readonly rules: readonly CompiledRule[];
  /** The rules of each of its target groups; flags of the same group share them. */
  readonly groups: readonly CompiledGroup[];
  readonly variants: readonly FlagVariant[];
  /** The flags that must be on; null for a missing one, which is never on. */
  readonly dependencies: readonly (CompiledFlag | null)[];
}

/** What is already known about one caller, so that several flags share it. */
export interface KnownOfCaller {
  /** By flag; null while it is being evaluated. */
  readonly verdicts: Map<CompiledFlag, FlagVerdict | null>;
  /** By the unit of percentages and by group, the matching rule; null for none. */
  readonly groupMatches: Readonly<Record<Flag['rolloutBy'], Map<CompiledGroup, CompiledRule | null>>>;
  /** The caller's properties as text, for `contains`. */
  readonly texts: Map<string, SearchedText>;
}

/** What is known about a caller before the first flag. */
export function nothingKnown(): KnownOfCaller {
  const groupMatches = { user: new Map(), organization: new Map(), team: new Map() };
  return { verdicts: new Map(), groupMatches, texts: new Map() };
}

export const FLAG_NOT_FOUND: FlagVerdict = {
  enabled: false,
  value: false,
  payload: null,
  reason: 'FLAG_NOT_FOUND',
};
const DEPENDENCY_NOT_SATISFIED: FlagVerdict = { ...FLAG_NOT_FOUND, reason: 'DEPENDENCY_NOT_SATISFIED' };

/** The verdict on a flag. Never throws; a flag in a circle of dependencies is off. */
export function evaluateFlag(
  flag: CompiledFlag,
  context: FlagContext,
  known: KnownOfCaller = nothingKnown(),
): FlagVerdict {
  const before = known.verdicts.get(flag);
  // Null: it depends on itself through others.
  if (before !== undefined) return before ?? DEPENDENCY_NOT_SATISFIED;
  known.verdicts.set(flag, null);
  const verdict = judge(flag, context, known);
  known.verdicts.set(flag, verdict);
  return verdict;
}

function judge(flag: CompiledFlag, context: FlagContext, known: KnownOfCaller): FlagVerdict {
  for (const dependency of flag.dependencies) {
    if (dependency === null || !evaluateFlag(dependency, context, known).enabled)
      return DEPENDENCY_NOT_SATISFIED;
  }
  const rule = flag.rules.find((each) => matches(each, flag, context, known));
  if (rule) return onOrOff(flag, rule.enabled, 'USER_RULE_MATCH');
  const ofGroup = groupMatch(flag, context, known);
  if (ofGroup) return onOrOff(flag, ofGroup.enabled, 'TARGET_GROUP_MATCH');
  if (flag.type === 'multivariant') {
    const variant = variantFor(flag, context);
    if (variant) {
      const { value, key } = variant;
      return { enabled: true, value, payload: flag.payload, reason: 'MULTIVARIANT_EVALUATED', variant: key };
    }
  }
  if (flag.type === 'rollout') {
    const enabled = bucketOf(`${flag.key}:${identifierOf(flag, context)}`, 100) < flag.rolloutPercentage;
    return onOrOff(flag, enabled, enabled ? 'ROLLOUT_ENABLED' : 'ROLLOUT_DISABLED');
  }
  return onOrOff(flag, flag.defaultValue, 'BOOLEAN_DEFAULT');
}

function onOrOff(flag: CompiledFlag, enabled: boolean, reason: FlagReason): FlagVerdict {
  return { enabled, value: enabled, payload: enabled ? flag.payload : null, reason };
}

/** The first matching rule in the groups of a flag. */
function groupMatch(flag: CompiledFlag, context: FlagContext, known: KnownOfCaller): CompiledRule | null {
  const matched = known.groupMatches[flag.rolloutBy];
  for (const group of flag.groups) {
    let match = matched.get(group);
    if (match === undefined) {
      match = group.find((each) => matches(each, flag, context, known)) ?? null;
      matched.set(group, match);
    }
    if (match) return match;
  }
  return null;
}

/** Whether the rule means the caller; of the flag only `rolloutBy` matters. */
function matches(
  rule: CompiledRule,
  flag: Pick<CompiledFlag, 'rolloutBy'>,
  context: FlagContext,
  known: KnownOfCaller,
): boolean {
  if (rule.field === null && rule.type === 'property')
    return bucketOf(`percentage:${identifierOf(flag, context)}`, 100) < rule.percentage;
  const actual = actualOf(rule, context);
  if (rule.operator === 'exists') return actual !== undefined && actual !== null;
  if (rule.operator === 'not_exists') return actual === undefined || actual === null;
  const text = textOf(actual);
  if (rule.operator === 'not_in') return text === undefined || !rule.texts.has(text);
  return text !== undefined && fits(rule, text, known);
}

function actualOf({ type, field }: CompiledRule, { userId, email, properties }: FlagContext): unknown {
  if (type === 'user_id') return userId;
  if (type === 'email') return email;
  // Own properties only: nobody has a property "constructor" without stating it.
  return field !== null && Object.hasOwn(properties, field) ? properties[field] : undefined;
}

/** Numbers and booleans are compared as text, as they come in a query string; lists and objects never match. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function fits({ operator, texts }: CompiledRule, actual: string, known: KnownOfCaller): boolean {
  if (operator === 'equals' || operator === 'in') return texts.has(actual);
  if (operator === 'contains') return containsOne(searched(actual, known), texts);
  for (const text of texts) {
    if (operator === 'starts_with' && actual.startsWith(text)) return true;
    if (operator === 'ends_with' && actual.endsWith(text)) return true;
  }
  return false;
}

function containsOne(searchedIn: SearchedText, texts: ReadonlySet<string>): boolean {
  for (const text of texts) if (searchedIn.contains(text)) return true;
  return false;
}

function searched(text: string, { texts }: KnownOfCaller): SearchedText {
  const known = texts.get(text) ?? searchedText(text);
  texts.set(text, known);
  return known;
}

/** The variant of a caller: by cumulative weights, or equal shares without weights. */
function variantFor(
  { key, variants }: CompiledFlag,
  { userId, email }: FlagContext,
): FlagVariant | undefined {
  const text = `${key}:variant:${userId ?? email ?? 'anonymous'}`;
  if (!variants.some(({ weight }) => weight !== undefined)) return variants[bucketOf(text, variants.length)];
  const bucket = bucketOf(text, 100);
  let reached = 0;
  return variants.find(({ weight = 0 }) => {
    reached += weight;
    return bucket < reached;
  });
}

function identifierOf(
  { rolloutBy }: Pick<CompiledFlag, 'rolloutBy'>,
  { userId, email, organizationId, teamId }: FlagContext,
): string {
  const named = { user: userId, organization: organizationId, team: teamId }[rolloutBy];
  return named ?? userId ?? email ?? 'anonymous';
}

/** |h| mod `count`, with h = h·31 + unit in 32 bits over the UTF-16 units of `text`. */
function bucketOf(text: string, count: number): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return Math.abs(hash) % count;
}
