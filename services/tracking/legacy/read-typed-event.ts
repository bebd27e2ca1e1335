/** Reads events of older clients, whose `type` says what kind they are. */
import { z } from 'zod';
import type { EventReader } from '../record/validate-events.ts';
import { namedEventSchema, type WireEvent, wireEventSchema } from '../record/wire-event.ts';

/** Types whose event says its name. */
const NAMED_TYPES = ['track', 'custom', 'custom_event', 'event'] as const;
/** Types that are the event's name. */
const RESERVED_TYPES = ['screen_view', 'page_exit', 'outgoing_link', 'error', 'web_vitals'] as const;
const DEFAULT_TYPE = 'track';

const types = [...NAMED_TYPES, ...RESERVED_TYPES];
const typeField = z
  .enum(types, { error: `Expected one of ${types.join(', ')}.` })
  .nullish()
  .describe(`${NAMED_TYPES.join(', ')}: the event has a name; others are its name. Default ${DEFAULT_TYPE}.`);

const schemas = new Map<unknown, z.ZodType<WireEvent>>(
  RESERVED_TYPES.map((type) => [type, namedEventSchema(type)]),
);
for (const type of [undefined, null, ...NAMED_TYPES]) schemas.set(type, wireEventSchema);
/** Refuses the type, and tells the other faults with it. */
const unknownTypeSchema = wireEventSchema.extend({ type: typeField });

/** An element, as documented. */
export const typedEventSchema = wireEventSchema.partial({ name: true }).extend({ type: typeField });

export const typedEventReader: EventReader<WireEvent> = {
  schemaOf: (element) => schemas.get(typeOf(element)) ?? unknownTypeSchema,
  aliases: { name: 'eventName' },
};

function typeOf(element: unknown): unknown {
  return typeof element === 'object' && element !== null && 'type' in element ? element.type : undefined;
}

/** What the answer says of an event that was stored. */
export interface TypedResult {
  readonly status: 'success';
  readonly type: string;
  readonly eventId?: string;
}

export const typedResultSchema = z.object({
  status: z.literal('success'),
  type: z.string().describe('The type of the event, as it came.'),
  eventId: z.string().optional().describe("The event's own eventId."),
});

/** The result of `event`, which came as `element`. */
export function typedResult(element: unknown, { eventId }: WireEvent): TypedResult {
  const type = typeOf(element);
  return {
    status: 'success',
    type: typeof type === 'string' ? type : DEFAULT_TYPE,
    ...(eventId ? { eventId } : {}),
  };
}
