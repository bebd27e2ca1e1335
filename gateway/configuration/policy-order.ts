/** The one order of policies: authentication, body, authorization, rate limits, then the answer. */

/** A policy in the order. */
export interface PolicyRule {
  readonly name: string;
  /** `step` passes the request to the next policy; `terminal` answers, and comes last. */
  readonly kind: 'step' | 'terminal';
}

/**
 * Ordered policies. Each appears at most once in a pipeline, with one step and without a condition, since a
 * condition that does not hold would skip the protection. Policies of other plugins may appear anywhere
 * between `auth` and the terminal: they know the caller, and nothing runs before or after. One that declares itself
 * unconditional takes no condition either.
 */
export const POLICY_ORDER: readonly PolicyRule[] = [
  { name: 'auth', kind: 'step' },
  { name: 'body', kind: 'step' },
  { name: 'scopes', kind: 'step' },
  { name: 'rate-limit', kind: 'step' },
  { name: 'proxy', kind: 'terminal' },
  { name: 'session', kind: 'terminal' },
  { name: 'openapi', kind: 'terminal' },
  { name: 'reference', kind: 'terminal' },
  { name: 'jwks', kind: 'terminal' },
  { name: 'pages', kind: 'terminal' },
  { name: 'redirect', kind: 'terminal' },
  { name: 'respond', kind: 'terminal' },
  { name: 'not-found', kind: 'terminal' },
];

/** Policies that answer; each pipeline ends with exactly one. */
export const TERMINALS: readonly string[] = POLICY_ORDER.filter((rule) => rule.kind === 'terminal').map(
  (rule) => rule.name,
);

/** Required in every pipeline: every request is authenticated as far as its endpoint asks, and counted. */
export const ALWAYS_NEEDED: readonly string[] = ['auth', 'rate-limit'];

/** The position of `policy` in the order: all terminals share the last; undefined for policies of other plugins. */
export function orderOf(policy: string): number | undefined {
  const index = POLICY_ORDER.findIndex((rule) => rule.name === policy);
  if (index === -1) return undefined;
  return TERMINALS.includes(policy) ? POLICY_ORDER.length - TERMINALS.length : index;
}

/** The order as text for faults. */
export const ORDER_TEXT: string = [
  ...POLICY_ORDER.filter((rule) => rule.kind === 'step').map((rule) => rule.name),
  TERMINALS.join(' | '),
].join(', ');
