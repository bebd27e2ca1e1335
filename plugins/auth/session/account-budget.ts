/** How often an account may be tried by addresses that it does not know, so that many addresses together guess no more than one does. */
import { createHmac } from 'node:crypto';
import type { ApiError } from '../../../services/shared/errors/api-error.ts';
import type { User } from '../../../services/shared/model/user.ts';
import { windowOf, windowText } from '../../../services/shared/plans/limit-window.ts';
import { type LimitRule, limitRule } from '../../../services/shared/plans/plans.ts';
import { addressSubject } from '../../../services/shared/plans/public-limit.ts';
import type { LimitState, LimitUse } from '../../../services/shared/ports/counter-store.ts';
import { limitExceeded } from '../../kit/limit-exceeded.ts';
import { NOTHING_PASSES } from '../../kit/nothing-passes.ts';
import type { GatewayRuntime } from '../../kit/runtime.ts';
import { type ShownLimit, showState } from '../../kit/shown-limit.ts';

/** How long an address is known from the first of its logins on, in milliseconds: as long as its session lives. */
const KNOWN_MS = 30 * 86_400_000;
/** An address that is not known may take this part of an account's budget, so that no single one uses it up. */
const ADDRESS_PART = 10;
/** Keeps these uses of the cookie key apart from others. */
const PURPOSE = 'tidegate account budget\n';

type Account = Pick<User, 'id'>;

/** Where an attempt comes from, and where its limit is shown. */
export interface Attempt {
  readonly address: string;
  showLimit(shown: ShownLimit): void;
}

/**
 * Strangers who use the budget up must not lock the owner out: it does not bind an address at accounts that it logged in to
 * before, which its own limit bounds. It is the same for an email without any account, of which nobody shall learn.
 */
export interface AccountBudget {
  /**
   * Counts an attempt; those of `accounts` that it may try: all, or once the budget is used up those that the address knows.
   * Others of the same email are not among them: anybody may have had an invitation make one.
   * @throws ApiError RATE_LIMIT_EXCEEDED when the budget is used up and the address knows none
   */
  admit<T extends Account>(attempt: Attempt, email: string, accounts: readonly T[]): Promise<readonly T[]>;
  /** The address logged in to the account, which is of this email. */
  know(address: string, email: string, account: Account): Promise<void>;
}

/** The budget of every limit `per: account` that an endpoint names; without one nothing is counted. */
export function createAccountBudget({
  counters,
  plans,
  endpoints,
  cookieKey,
}: Pick<GatewayRuntime, 'counters' | 'plans' | 'endpoints' | 'cookieKey'>): AccountBudget {
  const names = new Set([...endpoints.values()].flatMap(({ limits }) => limits));
  const limits = [...names].flatMap((name) => {
    const rule = limitRule(plans, name);
    return rule?.per === 'account' ? [{ name, rule }] : [];
  });
  /** Neither emails nor addresses stand in the store of counters. */
  const tagOf = (text: string): string =>
    createHmac('sha256', cookieKey)
      .update(PURPOSE + text)
      .digest('base64url');
  const subjectOf = (email: string): string => `account:${tagOf(email)}`;
  /** The account's whole budget, and the part of the address, which no other takes from it. */
  const usesOf = (address: string): LimitUse[] =>
    limits.flatMap(({ name, rule }) => [
      useOf(name, rule, rule.limit),
      useOf(`${name}@${tagOf(addressSubject(address))}`, rule, Math.ceil(rule.limit / ADDRESS_PART)),
    ]);
  const knownUse = (address: string, id: string): LimitUse => ({
    name: `login-known@${tagOf(`${addressSubject(address)} ${id}`)}`,
    limit: 1_000_000_000,
    windowMs: KNOWN_MS,
    cost: 1,
    algorithm: 'fixed',
    onStoreFailure: 'local',
  });

  return {
    async admit({ address, showLimit }, email, accounts) {
      if (limits.length === 0) return accounts;
      const subject = subjectOf(email);
      const { admitted, states, nowMs } = await counters.decide(subject, usesOf(address));
      if (admitted) return accounts;
      const asked = accounts.map(({ id }) => knownUse(address, id));
      const { states: known } = await counters.decide(subject, [...asked, NOTHING_PASSES]);
      const left = accounts.filter((_, index) => {
        const use = asked[index] as LimitUse;
        return (known[index]?.remaining ?? use.limit) < use.limit;
      });
      if (left.length > 0) return left;
      const violated = states.findIndex((state) => state.violated);
      const state = states[violated] as LimitState;
      showLimit(showState(state));
      throw usedUp(state, limits[violated >> 1] as NamedRule, nowMs, violated % 2 === 1);
    },
    async know(address, email, { id }) {
      if (limits.length > 0) await counters.decide(subjectOf(email), [knownUse(address, id)]);
    },
  };
}

/** A limit `per: account` with its name in plans.yml. */
interface NamedRule {
  readonly name: string;
  readonly rule: LimitRule;
}

function usedUp(state: LimitState, { name, rule }: NamedRule, nowMs: number, isOfAddress: boolean): ApiError {
  const from = isOfAddress ? 'an address that never logged in to it' : 'addresses that never logged in to it';
  return limitExceeded(
    state,
    nowMs,
    (retryAfter) =>
      `This account was tried too often from ${from}; retry in ${retryAfter} s, or from where you logged in before.`,
    { name, cost: 1, window: windowText(windowOf(rule)) },
  );
}

function useOf(name: string, rule: LimitRule, limit: number): LimitUse {
  const { algorithm, onStoreFailure, enforce } = rule;
  const counted = { name, limit, ...windowOf(rule), cost: 1, algorithm, onStoreFailure };
  return enforce ? counted : { ...counted, shadow: true };
}
