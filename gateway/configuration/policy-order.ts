/** The one order of policies: authentication, body, authorization, rate limits, then the answer. */

/** A policy in the order. */
export interface PolicyRule {
  readonly name: string;
  /** `caller` finds out who calls, and `step` judges the request, before the next policy; `terminal` answers, and comes last. */
  readonly kind: 'caller' | 'step' | 'terminal';
}

/**
 * Ordered policies. Each appears at most once in a pipeline, with one step and without a condition, since a
 * condition that does not hold would skip the protection. Policies of other plugins may appear anywhere
 * between the one that finds out who calls and the terminal: they know the caller, and nothing runs before or after. One that
 * declares itself unconditional takes no condition either.
 */
export const POLICY_ORDER: readonly PolicyRule[] = [
  { name: 'auth', kind: 'caller' },
  { name: 'jwt', kind: 'caller' },
  { name: 'body', kind: 'step' },
  { name: 'scopes', kind: 'step' },
  { name: 'rate-limit', kind: 'step' },
  { name: 'proxy', kind: 'terminal' },
  { name: 'session', kind: 'terminal' },
  { name: 'openapi', kind: 'terminal' },
  { name: 'reference', kind: 'terminal' },
  { name: 'jwks', kind: 'terminal' },
  { name: 'pages', kind: 'terminal' },
  { name: 'usage-limits', kind: 'terminal' },
  { name: 'platform', kind: 'terminal' },
  { name: 'redirect', kind: 'terminal' },
  { name: 'respond', kind: 'terminal' },
  { name: 'not-found', kind: 'terminal' },
];

const named = (kind: PolicyRule['kind']): readonly string[] =>
  POLICY_ORDER.filter((rule) => rule.kind === kind).map(({ name }) => name);

/** Policies that find out who calls; each pipeline begins with exactly one, whatever credential counts there. */
export const CALLERS: readonly string[] = named('caller');

/** Policies that answer; each pipeline ends with exactly one. */
export const TERMINALS: readonly string[] = named('terminal');

/** Required in every pipeline besides: every request is counted. */
export const ALWAYS_NEEDED: readonly string[] = ['rate-limit'];

/**
 * The position of `policy` in the order: those that find out who calls share the first, and terminals the last; undefined for
 * policies of other plugins.
 */
export function orderOf(policy: string): number | undefined {
  const index = POLICY_ORDER.findIndex((rule) => rule.name === policy);
  if (index === -1) return undefined;
  if (CALLERS.includes(policy)) return 0;
  return TERMINALS.includes(policy) ? POLICY_ORDER.length - TERMINALS.length : index;
}

/** The order as text for faults. */
export const ORDER_TEXT: string = [CALLERS.join(' | '), ...named('step'), TERMINALS.join(' | ')].join(', ');
