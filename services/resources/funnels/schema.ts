/** What a funnel may hold when it is written, and how it looks on the wire (contract.md sections 7 and 9). */
import { z } from 'zod';
import { type Funnel, funnelSchema } from '../../shared/model/funnel.ts';
import { FUNNEL_DEFAULTS, funnelDefinitionFields } from '../../shared/model/funnel-definition.ts';
import { nameSchema } from '../../shared/text/name-schema.ts';

const { steps, ordered, windowSeconds, exclude } = funnelDefinitionFields;

/** The fields of a new funnel. */
export const funnelFieldsSchema = z.strictObject({
  name: nameSchema(),
  steps,
  ordered: ordered
    .default(FUNNEL_DEFAULTS.ordered)
    .describe(`${ordered.description} ${FUNNEL_DEFAULTS.ordered} by default.`),
  windowSeconds: windowSeconds
    .default(FUNNEL_DEFAULTS.windowSeconds)
    .describe(`${windowSeconds.description} ${FUNNEL_DEFAULTS.windowSeconds} by default.`),
  exclude: exclude.nullable(),
});
export type FunnelFields = z.output<typeof funnelFieldsSchema>;

/** A funnel on the wire. */
export const funnelViewSchema = funnelSchema.omit({ version: true }).meta({ title: 'Funnel' });
export type FunnelView = z.infer<typeof funnelViewSchema>;

/** A stored funnel in its wire form. */
export function toFunnelView({ version: _, ...shown }: Funnel): FunnelView {
  return shown;
}
