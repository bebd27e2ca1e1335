/** What a funnel asks: its steps, their order, the time they may take, and what ends an attempt. */
import { z } from 'zod';
import { eventMatchFields, eventMatchSchema } from './event-match.ts';

export const MIN_FUNNEL_STEPS = 2;
export const MAX_FUNNEL_STEPS = 20;
/** 90 days. */
export const MAX_FUNNEL_WINDOW_SECONDS = 90 * 24 * 3_600;

export const funnelStepSchema = z.strictObject({
  name: z.string().min(1).max(100).optional().describe('Shown in rows; absent: what is matched.'),
  ...eventMatchFields,
});
export type FunnelStep = z.infer<typeof funnelStepSchema>;

export const funnelDefinitionFields = {
  steps: z.array(funnelStepSchema).min(MIN_FUNNEL_STEPS).max(MAX_FUNNEL_STEPS),
  ordered: z
    .boolean()
    .describe('Whether the steps are to be taken in their order, each by an event of its own.'),
  windowSeconds: z
    .int()
    .min(1)
    .max(MAX_FUNNEL_WINDOW_SECONDS)
    .describe('How long after the first step the last one may come; exactly so long after counts.'),
  exclude: eventMatchSchema
    .optional()
    .describe('An event that ends an attempt; at the instant of a step it comes before it.'),
};

export const funnelDefinitionSchema = z.strictObject(funnelDefinitionFields);
export type FunnelDefinition = z.infer<typeof funnelDefinitionSchema>;

/** Taken where a definition says nothing. */
export const FUNNEL_DEFAULTS = { ordered: true, windowSeconds: 7 * 24 * 3_600 } as const;
