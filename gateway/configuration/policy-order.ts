/** The one order of policies, written once: who calls, what comes in, may they, how much, then the answer. */

/** What the order asks of a policy. */
export interface PolicyRule {
  readonly name: string;
  /** `step` hands on to the next policy; `terminal` answers, and stands last. */
  readonly kind: 'step' | 'terminal';
}

/**
 * Ordered policies. Each stands at most once in a pipeline, with one step and without a condition, since a
 * condition that does not hold would skip the protection. Policies of other plugins may stand anywhere
 * between `auth` and the terminal: they see who calls, and nothing runs unseen before or after.
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
  { name: 'not-found', kind: 'terminal' },
];

/** Policies that answer; exactly one stands last in each pipeline. */
export const TERMINALS: readonly string[] = POLICY_ORDER.filter((rule) => rule.kind === 'terminal').map(
  (rule) => rule.name,
);

/** Needed in every pipeline: nothing is answered unseen and uncounted. */
export const ALWAYS_NEEDED: readonly string[] = ['auth', 'rate-limit'];

/** The place of `policy` in the order: all terminals share the last; undefined for policies of other plugins. */
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
