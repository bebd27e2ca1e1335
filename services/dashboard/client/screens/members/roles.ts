/** What roles may do, as data: the gateway decides, and a test holds this equal to its tables. */
import type { Role } from '../../api/wire.ts';

/** From the most to the least. */
export const ROLES: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];

/** Whether somebody of role `giver` may give `role`, and so change or remove who has it: an admin touches no owner. */
export function mayGive(giver: Role | undefined, role: Role): boolean {
  return giver === 'owner' || (giver === 'admin' && role !== 'owner');
}
