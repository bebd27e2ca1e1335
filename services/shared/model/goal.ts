/** A goal of a website: the events that count as reached, and what they are worth. */
import { z } from 'zod';
import { eventMatchFields } from './event-match.ts';
import { storedSchema } from './stored.ts';

export const goalSchema = storedSchema.extend({
  websiteId: z.string(),
  name: z.string(),
  ...eventMatchFields,
  /** The property of its events that holds what each is worth; null: they are worth nothing. */
  revenueProperty: z.string().nullable(),
  /** The currency of that property: ISO 4217. */
  currency: z.string().nullable(),
  /** Its place among the goals of the website: digits, as many for every goal, so that lists sort by them. */
  position: z.string(),
  /** Identifier of the user or key. */
  createdBy: z.string(),
});
export type Goal = z.infer<typeof goalSchema>;
