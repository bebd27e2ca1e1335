/** POST /public/v1/shares/{token}/unlock: the password of a share against a ticket. */
import { z } from 'zod';
import { PASSWORD_LENGTH } from '../../shared/credentials/password.ts';
import type { PasswordHasher } from '../../shared/credentials/password-hasher.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DescribeShare } from '../../shared/ports/describe-share.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { findShare } from '../../shared/shares/find-share.ts';
import { createTicket } from '../../shared/shares/share-ticket.ts';
import { shownShareSchema } from '../../shared/shares/shown-share.ts';

export interface UnlockPorts {
  readonly documents: DocumentStore;
  readonly clock: Clock;
  readonly passwords: PasswordHasher;
  readonly describeShare: DescribeShare;
}

const MAX_BODY_BYTES = 4_096;

const bodySchema = z.strictObject({
  password: z
    .string('Allowed: a text.')
    .min(1, 'At least one character.')
    .max(PASSWORD_LENGTH.max, `At most ${PASSWORD_LENGTH.max} characters.`),
});

export const unlockShareRoute: Route<UnlockPorts> = defineRoute<UnlockPorts, z.output<typeof bodySchema>>({
  operationId: 'unlockShare',
  method: 'POST',
  path: '/public/v1/shares/:token/unlock',
  pathParameters: { token: 'The token of the share, which is part of its link.' },
  rule: 'public',
  summary: 'Unlock a share',
  description:
    'The password of a share against a ticket for an hour, which queries send as X-Share-Ticket, with what the share shows. Another password of the share ends it. A wrong password is AUTH_REQUIRED; an unknown, expired or deleted share NOT_FOUND.',
  tags: ['shares'],
  body: { schema: bodySchema, maxBytes: MAX_BODY_BYTES, example: { password: 'correct horse' } },
  success: {
    status: 200,
    holdsSecret: true,
    schema: z.object({
      success: z.literal(true),
      data: z.object({
        ticket: z.string(),
        expiresAt: z.iso.datetime(),
        share: shownShareSchema.describe('What the ticket opens.'),
      }),
    }),
    example: {
      success: true,
      data: {
        ticket: 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl',
        expiresAt: '2026-01-15T10:30:00.000Z',
        share: {
          name: 'For the agency',
          datasets: ['summary', 'top_pages'],
          timezone: 'Europe/Berlin',
          preset: 'last_7d',
          from: '2026-01-08T23:00:00.000Z',
          to: '2026-01-15T23:00:00.000Z',
          granularity: null,
          hasParts: true,
        },
      },
    },
  },
  errors: ['VALIDATION_ERROR', 'AUTH_REQUIRED', 'NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  async handler({ params, body, headers }, { documents, clock, passwords, describeShare }) {
    const { share, view } = await findShare(documents, params.token ?? '', clock.now());
    if (share.passwordHash === null) {
      throw new ApiError('CONFLICT', { text: 'This share has no password: ask it without a ticket.' });
    }
    const place = passwords.place(String(headers['x-forwarded-for'] ?? ''));
    try {
      if (!(await place.verify(share.passwordHash, body.password))) {
        throw new ApiError('AUTH_REQUIRED', { text: 'This is not the password of the share.' });
      }
    } finally {
      place.giveBack();
    }
    const shown = describeShare(share, view.state);
    return { body: { success: true, data: { ...(await createTicket(share, clock.now())), share: shown } } };
  },
});
