/** Who may give which role: the one table for making an invitation and for accepting it later. */
import { ROLES, type Role } from '../model/user.ts';

/** The roles that a member of a role may give; an admin makes no owner. */
const GIVEN_ROLES: Readonly<Record<Role, readonly Role[]>> = {
  owner: ROLES,
  admin: ROLES.filter((role) => role !== 'owner'),
  member: [],
  viewer: [],
};

/** Whether somebody of role `giver`, null being no member, may give `role`. */
export function mayGive(giver: Role | null, role: Role): boolean {
  return giver !== null && GIVEN_ROLES[giver].includes(role);
}
