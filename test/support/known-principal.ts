/** A principal of the organization `org_a`: its key `key_a`, on the plan free. */
import type { Caller } from '../../services/shared/access/caller.ts';
import { Principal } from '../../services/shared/access/principal.ts';
import type { OrganizationLimits } from '../../services/shared/model/organization.ts';

export function knownPrincipal(own: Partial<Caller> = {}, limits: OrganizationLimits = {}): Principal {
  const caller: Caller = {
    id: 'key_a',
    kind: 'key',
    organizationId: 'org_a',
    userId: null,
    role: null,
    plan: 'free',
    scopes: ['read:data'],
    access: { level: 'global' },
    ...own,
  };
  return new Principal(caller, limits);
}
