/** The ways into an organization from an invitation: which one is open, which others are offered, and what stands in the way. */
import type { Fault } from '../../api/fault.ts';

/** `session`: the account that is logged in joins. `account`: the form of a new one. `login`: that of one which is there. */
export type Way = 'session' | 'account' | 'login';

export interface Ways {
  readonly open: Way;
  /** Never empty: nobody ends here because of a first choice that was wrong. */
  readonly others: readonly Way[];
  /**
   * `refused`: the invitation is used up, expired or withdrawn. `otherAccount`: it is for another email than that of the account.
   * `fault`: anything else, as it is told everywhere.
   */
  readonly problem: 'refused' | 'otherAccount' | 'fault' | null;
}

/** Whether somebody is logged in as whom the invitation is for; as long as that is not known, whoever is logged in may be. */
export function belongsTo(
  user: { readonly email: string } | undefined,
  invitation: { readonly email: string } | undefined,
): boolean {
  return user !== undefined && (invitation?.email ?? user.email).toLowerCase() === user.email.toLowerCase();
}

/** `isLoggedIn`: as whom the invitation is for. `wish`: the form that somebody chose; null: none yet, or a login that is done. */
export function waysIn(
  isLoggedIn: boolean,
  wish: 'account' | 'login' | null,
  fault: Fault | undefined,
): Ways {
  const open = wish ?? (isLoggedIn ? 'session' : 'account');
  const others = (['login', 'account'] as const).filter((way) => way !== open);
  return { open, others, problem: fault === undefined ? null : problemOf(open, fault) };
}

function problemOf(open: Way, { status, kind }: Fault): Ways['problem'] {
  if (status === 401 || status === 404) return 'refused';
  // Without a name and a password only the account of the invited email joins.
  return open === 'session' && kind === 'invalid' ? 'otherAccount' : 'fault';
}
