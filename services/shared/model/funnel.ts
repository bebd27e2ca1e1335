/** A funnel of a website: the steps that visitors take, and how long they may take for them. */
import { z } from 'zod';
import { eventMatchSchema } from './event-match.ts';
import { funnelDefinitionFields, funnelStepSchema } from './funnel-definition.ts';
import { storedSchema } from './stored.ts';

export const funnelSchema = storedSchema.extend({
  websiteId: z.string(),
  name: z.string(),
  ...funnelDefinitionFields,
  steps: z.array(funnelStepSchema),
  /** Null: nothing ends an attempt. */
  exclude: eventMatchSchema.nullable(),
  /** Identifier of the user or key. */
  createdBy: z.string(),
});
export type Funnel = z.infer<typeof funnelSchema>;
