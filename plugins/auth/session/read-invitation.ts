/** `POST /v1/auth/invitation`: what an invitation is for, told to whoever holds its token before they accept it; it changes nothing. */
import { z } from 'zod';
import { invitationViewSchema } from '../../../services/shared/accounts/invitation-schema.ts';
import { type AuthCall, defineAuthRoute, MAX_BODY_BYTES, refuseForeignOrigin } from './auth-route.ts';
import { openInvitation } from './open-invitation.ts';

const readSchema = z.strictObject({
  token: z.string().min(1).max(256).describe('The token of the invitation; reading does not use it up.'),
});

export const invitationRoute = defineAuthRoute<z.infer<typeof readSchema>>({
  operationId: 'readInvitation',
  method: 'POST',
  path: '/v1/auth/invitation',
  rule: 'public',
  summary: 'Read an invitation',
  description:
    'Tells which organization invites whom to which role, and changes nothing. The token stands in the body, so that no address and no log holds it. A token that is unknown, used, expired or void is 404, whichever it is, as when it is accepted; the answer does not tell whether the email has an account. A page of a foreign origin is refused.',
  tags: ['auth'],
  body: {
    schema: readSchema,
    maxBytes: MAX_BODY_BYTES,
    example: { token: 'dGhlIHRva2VuIG9mIHRoZSBpbnZpdGF0aW9u' },
  },
  success: {
    status: 200,
    schema: invitationViewSchema,
    example: {
      success: true,
      data: {
        organization: { name: 'Lighthouse Books' },
        email: 'grace@example.com',
        role: 'member',
        expiresAt: '2026-11-30T12:00:00.000Z',
      },
    },
  },
  errors: ['ACCESS_DENIED', 'NOT_FOUND'],
  async answer(call) {
    refuseForeignOrigin(call as AuthCall<never>);
    const { invitation, organization } = await openInvitation(call.runtime, call.body.token);
    const { email, role, expiresAt } = invitation;
    const data = { organization: { name: organization.name }, email, role, expiresAt };
    return { body: { success: true, data } };
  },
});
