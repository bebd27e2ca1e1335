/** Annotations on the wire: what happened to a website, for charts to show (contract.md section 9). */
import { z } from 'zod';
import { nameSchema } from '../../shared/text/name-schema.ts';
import { wordedInstantSchema } from '../instant-input.ts';
import { defineKeptResource } from '../kept/define-kept-resource.ts';

const MAX_BODY_BYTES = 16_384;
const LONGEST_TEXT = 500;

const ALLOWED =
  'Allowed: a day, such as "2026-01-31", or an ISO 8601 instant, such as "2026-01-31T09:30:00Z".';

export const annotationRoutes = defineKeptResource({
  collection: 'annotations',
  path: '/v1/annotations',
  kind: 'annotation',
  about: 'What happened to a website at an instant or on a day, for charts to show.',
  bounded: 'annotations',
  sortBy: ['at', 'createdAt'],
  searched: ['text'],
  fields: z.strictObject({
    at: z
      .union([z.iso.date(), wordedInstantSchema], ALLOWED)
      .describe('A day, such as 2026-01-31, in the time zone of whoever looks at it; or an instant.'),
    text: nameSchema(LONGEST_TEXT),
  }),
  maxBytes: MAX_BODY_BYTES,
  example: { at: '2026-01-15', text: 'Summer sale begins' },
});
