/** `POST /v1/auth/password`: a new password for the old one; every other session of the user ends. */
import { z } from 'zod';
import { PASSWORD_LENGTH } from '../../../services/shared/credentials/password.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { ROLES } from '../../../services/shared/model/user.ts';
import { type AuthCall, defineAuthRoute, MAX_BODY_BYTES } from './auth-route.ts';
import { sessionUser } from './own-session.ts';

const passwordSchema = z.strictObject({
  current: z.string().min(1).max(PASSWORD_LENGTH.max).describe('The password until now.'),
  new: z
    .string()
    .min(PASSWORD_LENGTH.min)
    .max(PASSWORD_LENGTH.max)
    .describe(`${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters.`),
});

export const passwordRoute = defineAuthRoute<z.infer<typeof passwordSchema>>({
  operationId: 'changePassword',
  method: 'POST',
  path: '/v1/auth/password',
  rule: { roles: ROLES },
  needs: 'session',
  summary: 'Change the password',
  description:
    'Sets a new password and ends every other session of the user. A wrong current password is 401.',
  tags: ['auth'],
  body: {
    schema: passwordSchema,
    maxBytes: MAX_BODY_BYTES,
    example: { current: 'correct horse', new: 'battery staple' },
  },
  success: { status: 204, schema: z.undefined(), example: undefined },
  errors: ['CONFLICT'],
  audit: 'user.change-password',
  checksPasswords: true,
  async answer(call) {
    const { runtime, parts, body, caller, passwords } = call;
    const { documents } = runtime;
    const user = await sessionUser(call as AuthCall<never>);
    if (!(await passwords.verify(user.passwordHash, body.current))) {
      throw new ApiError('AUTH_REQUIRED', { text: 'The current password is wrong.' });
    }
    const passwordHash = await passwords.hash(body.new);
    const updated = await documents.users.update(user.id, user.id, user.version, { passwordHash });
    if (updated === null) {
      throw new ApiError('CONFLICT', { text: 'The user was changed by another request meanwhile.' });
    }
    await parts.sessions.endOthers(user.id, caller.id);
    parts.tell({ kind: 'user', id: user.id });
    const organizationId = caller.organizationId ?? '';
    const by = { organizationId, sessionId: caller.id, userId: user.id };
    return { written: [{ ...by, targetId: user.id, fields: ['password'] }] };
  },
});
