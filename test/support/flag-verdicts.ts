/** Flags as stored, what evaluating them says, and the hash of contract.md section 7 in arithmetic of its own, for tests of evaluation. */
import { compileFlags } from '../../services/resources/flags/compile-flags.ts';
import {
  evaluateFlag,
  type FlagContext,
  type FlagVerdict,
} from '../../services/resources/flags/evaluate-flag.ts';
import type { Flag, FlagRule, TargetGroup } from '../../services/shared/model/flag.ts';

const STORED = { organizationId: 'org_one', version: 1, createdAt: '', updatedAt: '', createdBy: 'usr_1' };

/** An active boolean flag of org_one that is off, but for what is given. */
export function flagOf(key: string, given: Partial<Flag> = {}): Flag {
  const websiteId = given.websiteId ?? null;
  return {
    ...{ ...STORED, id: `flg_${key}`, key, websiteId, scopeId: websiteId ?? 'org_one', name: key },
    ...{ description: '', type: 'boolean', status: 'active', defaultValue: false, payload: null },
    ...{ rolloutPercentage: 0, rolloutBy: 'user', rules: [], variants: [], dependencies: [] },
    ...{ environment: null, targetGroupIds: [] },
    ...given,
  };
}

export function groupOf(id: string, rules: FlagRule[]): TargetGroup {
  return { ...STORED, id, name: id, description: '', color: '#000000', rules };
}

/** The verdict on the flag `key` of these; `who` may leave out its properties. */
export function verdictOn(
  flags: Flag[],
  key: string,
  who: Partial<FlagContext> = {},
  groups: TargetGroup[] = [],
  environment: string | null = null,
): FlagVerdict | null {
  const compiled = compileFlags({ flags, groups: new Map(groups.map((group) => [group.id, group])) });
  const flag = compiled.get(environment)?.get(key);
  return flag ? evaluateFlag(flag, { properties: {}, ...who }) : null;
}

/** The hash of the contract, worked out in unbounded integers and cut to 32 bits at the end. */
export function javaHash(text: string): bigint {
  let hash = 0n;
  for (const unit of text.split('')) hash = hash * 31n + BigInt(unit.charCodeAt(0));
  return BigInt.asIntN(32, hash);
}

/** |hash| mod 100. */
export function javaBucket(text: string): number {
  const hash = javaHash(text);
  return Number((hash < 0n ? -hash : hash) % 100n);
}
