/** `PATCH /v1/auth/user`: a user changes what it is called. */
import { z } from 'zod';
import { sessionUserSchema } from '../../../services/shared/accounts/session-schema.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { ROLES } from '../../../services/shared/model/user.ts';
import { nameSchema } from '../../../services/shared/text/name-schema.ts';
import { type AuthAnswer, type AuthCall, defineAuthRoute, MAX_BODY_BYTES } from './auth-route.ts';
import { sessionUser } from './own-session.ts';

/** How often the write is tried again when somebody else was faster. */
const MAX_TRIES = 5;

const changeSchema = z.strictObject({
  name: nameSchema().describe('1 to 100 characters, without the spaces around them.'),
});
type Change = z.infer<typeof changeSchema>;

export const changeUserRoute = defineAuthRoute<Change>({
  operationId: 'changeUser',
  method: 'PATCH',
  path: '/v1/auth/user',
  rule: { roles: ROLES },
  needs: 'session',
  summary: 'Change the own name',
  description:
    'What the user of the session is called, in every organization. The email stays; the password has a route of its own.',
  tags: ['auth'],
  body: { schema: changeSchema, maxBytes: MAX_BODY_BYTES, example: { name: 'Ada' } },
  success: {
    status: 200,
    schema: z.object({ success: z.literal(true), data: sessionUserSchema }),
    example: {
      success: true,
      data: { id: 'usr_01k3w6v1q8z5m7r2c4x9t0b6ha', email: 'ada@example.com', name: 'Ada' },
    },
  },
  errors: ['CONFLICT'],
  audit: 'user.change',
  async answer(call) {
    const { runtime, body, caller } = call;
    const { name } = body;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const user = await sessionUser(call as AuthCall<never>);
      const { id, email, version } = user;
      const answer: AuthAnswer = { body: { success: true, data: { id, email, name } }, written: [] };
      if (user.name === name) return answer;
      if ((await runtime.documents.users.update(id, id, version, { name })) === null) continue;
      const by = { organizationId: caller.organizationId ?? '', sessionId: caller.id, userId: id };
      return { ...answer, written: [{ ...by, targetId: id, fields: ['name'] }] };
    }
    throw new ApiError('CONFLICT', { text: 'The user is being changed by others all the time; try again.' });
  },
});
