/** Which sessions an endpoint lets in, in words. */
import { ROLES, type Role } from '../../services/shared/model/user.ts';

/** Operators may have any role unless roles are named. */
export function sessionOf({
  roles,
  operators,
}: {
  readonly roles: readonly Role[];
  readonly operators?: true | undefined;
}): string {
  const role = roles.join(' or ');
  if (operators !== true) return `session of ${role}`;
  return `session of an operator${roles.length === ROLES.length ? '' : ` who is ${role}`}`;
}
