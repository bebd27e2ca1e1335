/** Evaluates a flag for a caller: a pure function of both, in the order and with the hash of contract.md section 7. */
import type { Flag, FlagRule, FlagVariant, JsonValue } from '../../shared/model/flag.ts';

/** Why a verdict is as it is. */
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

/** For whom flags are evaluated; what the caller does not say is undefined. */
export interface FlagContext {
  readonly userId?: string | undefined;
  readonly email?: string | undefined;
  readonly organizationId?: string | undefined;
  readonly teamId?: string | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface FlagVerdict {
  readonly enabled: boolean;
  /** `enabled`, save for a variant: what that holds. */
  readonly value: JsonValue;
  /** The flag's payload; null unless enabled. */
  readonly payload: JsonValue;
  readonly reason: FlagReason;
  /** Key of the variant. */
  readonly variant?: string;
}

/** A rule made ready for comparing. */
export interface CompiledRule {
  readonly type: FlagRule['type'];
  readonly operator: FlagRule['operator'];
  /** Name of the property; null: the rule means a share of the callers. */
  readonly field: string | null;
  /** That share, 0..100. */
  readonly percentage: number;
  /** What is compared with, as text; one that fits is enough. */
  readonly texts: ReadonlySet<string>;
  readonly enabled: boolean;
}

/** A flag made ready for evaluating. */
export interface CompiledFlag
  extends Pick<Flag, 'key' | 'type' | 'defaultValue' | 'payload' | 'rolloutPercentage' | 'rolloutBy'> {
  readonly rules: readonly CompiledRule[];
  /** The rules of its target groups, in the order of the groups. */
  readonly groupRules: readonly CompiledRule[];
  readonly variants: readonly FlagVariant[];
  /** The flags that must be on; null for one that is absent and so never on. */
  readonly dependencies: readonly (CompiledFlag | null)[];
}

/** Verdicts of one caller by flag, so that what several depend on is judged once; null while one is being judged. */
export type KnownVerdicts = Map<CompiledFlag, FlagVerdict | null>;

export const FLAG_NOT_FOUND: FlagVerdict = {
  enabled: false,
  value: false,
  payload: null,
  reason: 'FLAG_NOT_FOUND',
};
const DEPENDENCY_NOT_SATISFIED: FlagVerdict = { ...FLAG_NOT_FOUND, reason: 'DEPENDENCY_NOT_SATISFIED' };

/** The verdict on a flag. Never throws; a flag on a circle of dependencies is off. */
export function evaluateFlag(
  flag: CompiledFlag,
  context: FlagContext,
  known: KnownVerdicts = new Map(),
): FlagVerdict {
  const before = known.get(flag);
  // Null: it depends on itself by way of others.
  if (before !== undefined) return before ?? DEPENDENCY_NOT_SATISFIED;
  known.set(flag, null);
  const verdict = judge(flag, context, known);
  known.set(flag, verdict);
  return verdict;
}

function judge(flag: CompiledFlag, context: FlagContext, known: KnownVerdicts): FlagVerdict {
  for (const dependency of flag.dependencies) {
    if (dependency === null || !evaluateFlag(dependency, context, known).enabled)
      return DEPENDENCY_NOT_SATISFIED;
  }
  const rule = flag.rules.find((each) => matches(each, flag, context));
  if (rule) return onOrOff(flag, rule.enabled, 'USER_RULE_MATCH');
  const ofGroup = flag.groupRules.find((each) => matches(each, flag, context));
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

/** Whether the caller is meant. */
function matches(rule: CompiledRule, flag: CompiledFlag, context: FlagContext): boolean {
  if (rule.field === null && rule.type === 'property')
    return bucketOf(`percentage:${identifierOf(flag, context)}`, 100) < rule.percentage;
  const actual = actualOf(rule, context);
  if (rule.operator === 'exists') return actual !== undefined && actual !== null;
  if (rule.operator === 'not_exists') return actual === undefined || actual === null;
  const text = textOf(actual);
  if (rule.operator === 'not_in') return text === undefined || !rule.texts.has(text);
  return text !== undefined && fits(rule, text);
}

function actualOf({ type, field }: CompiledRule, { userId, email, properties }: FlagContext): unknown {
  if (type === 'user_id') return userId;
  if (type === 'email') return email;
  // Own properties alone: nobody has a property "constructor" who does not say so.
  return field !== null && Object.hasOwn(properties, field) ? properties[field] : undefined;
}

/** Numbers and truth values are compared by their text, as they come in a query string; lists and objects never fit. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function fits({ operator, texts }: CompiledRule, actual: string): boolean {
  if (operator === 'equals' || operator === 'in') return texts.has(actual);
  for (const text of texts) {
    if (operator === 'contains' && actual.includes(text)) return true;
    if (operator === 'starts_with' && actual.startsWith(text)) return true;
    if (operator === 'ends_with' && actual.endsWith(text)) return true;
  }
  return false;
}

/** The variant of a caller: by cumulative weights, or equal shares where there are none. */
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
  { rolloutBy }: CompiledFlag,
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
