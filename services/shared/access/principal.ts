/** Who makes a request, as the gateway knows it: the caller that services see, and what only policies need. */
import type { OrganizationLimits } from '../model/organization.ts';
import { type Caller, PUBLIC_CALLER } from './caller.ts';

/** Established once by the auth policy and handed on; nobody reads the credential again. */
export class Principal {
  readonly caller: Caller;
  /** Limits that the organization carries in place of its plan's. */
  readonly limits: OrganizationLimits;
  /** Identity tokens signed, or being signed, for this principal, by audience; they live as long as the verdict on it. */
  readonly identityTokens = new Map<string, string | Promise<string>>();

  constructor(caller: Caller, limits: OrganizationLimits) {
    this.caller = caller;
    this.limits = limits;
  }
}

/** Nobody in particular, anew for each verdict period so that its tokens do not outlive it. */
export function publicPrincipal(): Principal {
  return new Principal(PUBLIC_CALLER, {});
}
