/** An annotation: what happened to a website at an instant or on a day, for charts to show. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

export const annotationSchema = storedSchema.extend({
  websiteId: z.string(),
  /** An instant, or a day without a time zone: lists are sorted by it. */
  at: z.string(),
  text: z.string(),
  /** The user whose own it is; the organization when it is shared. */
  ownerId: z.string(),
  createdBy: z.string(),
});
export type Annotation = z.infer<typeof annotationSchema>;
