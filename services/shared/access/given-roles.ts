/** Who may give which role: the one table for making an invitation and for accepting it later. */
import { ROLES, type Role } from '../model/user.ts';

/** The roles that each role may give; an admin cannot make an owner. */
const GIVEN_ROLES: Readonly<Record<Role, readonly Role[]>> = {
  owner: ROLES,
  admin: ROLES.filter((role) => role !== 'owner'),
  member: [],
  viewer: [],
};

/** Whether somebody with the role `giver` may give `role`; null: the giver is not a member. */
export function mayGive(giver: Role | null, role: Role): boolean {
  return giver !== null && GIVEN_ROLES[giver].includes(role);
}
