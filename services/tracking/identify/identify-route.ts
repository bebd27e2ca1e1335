/** POST /identify: records who a visitor is in the client's own system. */
import { z } from 'zod';
import { defineIngestRoute } from '../ingest/define-ingest-route.ts';
import { ingestProfile } from '../ingest/ingest.ts';
import { wireProfileSchema } from './wire-profile.ts';

const ANSWER = { status: 'success', success: true, type: 'identify' } as const;

export const identifyRoute = defineIngestRoute({
  operationId: 'identifyVisitor',
  path: '/identify',
  senders: 'keyless',
  summary: 'Say who a visitor is',
  description:
    'Keeps the traits of a profile, and which visitor it is. Traits are added to those known; null removes one. ' +
    'Those set with a key are changed by keys only. ' +
    'The website is chosen as for /track.',
  element: wireProfileSchema,
  reader: { schemaOf: () => wireProfileSchema, takes: 'one' },
  example: { profileId: 'user-42', anonymousId: 'visitor-1', traits: { plan: 'pro' }, websiteId: 'web_shop' },
  success: {
    schema: z.object({
      status: z.literal('success'),
      success: z.literal(true),
      type: z.literal('identify'),
    }),
    example: ANSWER,
  },
  async take(request, parts) {
    await ingestProfile(request, parts);
    return ANSWER;
  },
});
