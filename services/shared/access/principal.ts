/** Who makes a request, as the gateway knows it: the caller that services see, plus what only policies need. */

import type { OrganizationLimits } from '../model/organization.ts';
import type { Endpoint } from '../plans/endpoint.ts';
import { type GatewayCaller, PUBLIC_CALLER } from './caller.ts';

/** The identity token of a principal, signed or being signed. */
export interface HeldToken {
  readonly audience: string;
  readonly token: string | Promise<string>;
}

/** Set once by the auth policy and handed on; nobody reads the credential again. */
export class Principal {
  readonly caller: GatewayCaller;
  /** Limits of the organization that replace those of its plan. */
  readonly limits: OrganizationLimits;
  /** Whether the person of a session runs the service. */
  readonly isOperator: boolean;
  /**
   * Its identity tokens by the endpoint whose grant they carry, those of foreign backends by audience; they live as long as
   * the verdict.
   */
  readonly identityTokens = new Map<Endpoint | string, HeldToken>();

  constructor(caller: GatewayCaller, limits: OrganizationLimits, isOperator = false) {
    this.caller = caller;
    this.limits = limits;
    this.isOperator = isOperator;
  }
}

/** An anonymous principal, a new one for each verdict period so that its tokens do not outlive the period. */
export function publicPrincipal(): Principal {
  return new Principal(PUBLIC_CALLER, {});
}
