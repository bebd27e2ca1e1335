/** What each role of an organization may do: the one table from roles to scopes (contract.md section 3, Session cookie). */
import type { Role } from '../model/user.ts';
import { SCOPES, type Scope } from './scopes.ts';

/** The scopes of a session by the role of its user. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: SCOPES,
  admin: SCOPES,
  member: SCOPES.filter((scope) => scope !== 'manage:config'),
  viewer: ['read:data', 'read:links'],
};
