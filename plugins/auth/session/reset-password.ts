/** `POST /v1/auth/reset`: a new password for the token that an owner or admin made, exactly once; every session of the user ends. */
import { z } from 'zod';
import { PASSWORD_LENGTH } from '../../../services/shared/credentials/password.ts';
import { type AuthCall, defineAuthRoute, MAX_BODY_BYTES, refuseForeignOrigin } from './auth-route.ts';
import { openReset, spendReset } from './spend-reset.ts';

const resetSchema = z.strictObject({
  token: z.string().min(1).max(256).describe('The token of POST /v1/members/{id}/reset; it serves once.'),
  password: z
    .string()
    .min(PASSWORD_LENGTH.min)
    .max(PASSWORD_LENGTH.max)
    .describe(`The new password, ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters.`),
});

export const resetRoute = defineAuthRoute<z.infer<typeof resetSchema>>({
  operationId: 'resetPassword',
  method: 'POST',
  path: '/v1/auth/reset',
  rule: 'public',
  summary: 'Set a new password by a reset link',
  description:
    'Sets the password of the member whom the token was made for and ends every session of that user. None begins: the member logs in. A token that is unknown, used, expired or void is 404, whichever it is. A page of a foreign origin is refused.',
  tags: ['auth'],
  body: {
    schema: resetSchema,
    maxBytes: MAX_BODY_BYTES,
    example: { token: 'dGhlIHRva2VuIG9mIGEgcmVzZXQgbGluaw', password: 'battery staple' },
  },
  success: { status: 204, schema: z.undefined(), example: undefined },
  errors: ['ACCESS_DENIED', 'NOT_FOUND'],
  audit: 'user.reset-password',
  checksPasswords: true,
  async answer(call) {
    refuseForeignOrigin(call as AuthCall<never>);
    const { runtime, parts, body, passwords } = call;
    const ports = { documents: runtime.documents, clock: runtime.clock, sessions: parts.sessions };
    const reset = await openReset(ports, body.token);
    // Before the token is spent: the line of passwords may be full.
    const passwordHash = await passwords.hash(body.password);
    const { organizationId, userId: targetId } = reset;
    await spendReset(ports, reset, passwordHash);
    parts.tell({ kind: 'user', id: targetId });
    const nobody = { sessionId: null, userId: null };
    return { written: [{ organizationId, ...nobody, targetId, fields: ['password'] }] };
  },
});
