/** What each role of an organization may do, unless the configuration says otherwise (contract.md section 3, Session cookie). */
import type { Role } from '../model/user.ts';
import { SCOPES, type ShippedScope } from './scopes.ts';

/** The scopes of a session, by its user's role. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly ShippedScope[]>> = {
  owner: SCOPES,
  admin: SCOPES,
  member: SCOPES.filter((scope) => scope !== 'manage:config'),
  viewer: ['read:data', 'read:links'],
};
