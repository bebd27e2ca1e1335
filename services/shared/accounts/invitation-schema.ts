/** An invitation on the wire as its token opens it, for the plugin that answers `/v1/auth` and for pages, which import these types alone. */
import { z } from 'zod';
import { ROLES } from '../model/user.ts';

export const invitationViewSchema = z.object({
  success: z.literal(true),
  data: z
    .object({
      organization: z.object({ name: z.string() }).describe('Who invites.'),
      email: z
        .string()
        .describe('Whom the invitation is for; an account of this email accepts it without a password.'),
      role: z.enum(ROLES).describe('The role that it gives.'),
      expiresAt: z.iso.datetime().describe('When the token ends.'),
    })
    .meta({ title: 'OpenInvitation' }),
});
export type InvitationView = z.infer<typeof invitationViewSchema>;
