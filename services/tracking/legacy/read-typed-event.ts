/** Reads events of older clients, whose `type` gives their kind. */
import { z } from 'zod';
import { meantType } from '../record/meant-names.ts';
import type { EventReader } from '../record/validate-events.ts';
import { namedEventSchema, type WireEvent, wireEventSchema } from '../record/wire-event.ts';

/** Types whose events carry a name. */
const NAMED_TYPES = ['track', 'custom', 'custom_event', 'event'] as const;
/** Types that are themselves the event's name. */
const RESERVED_TYPES = ['screen_view', 'page_exit', 'outgoing_link', 'error', 'web_vitals'] as const;
const DEFAULT_TYPE = 'track';

const types = [...NAMED_TYPES, ...RESERVED_TYPES];
const typeField = z
  .enum(types, { error: ({ input }) => `Expected one of ${types.join(', ')}${meant(input)}` })
  .nullish()
  .describe(`${NAMED_TYPES.join(', ')}: the event has a name; others are its name. Default ${DEFAULT_TYPE}.`);

const schemas = new Map<unknown, z.ZodType<WireEvent>>(
  RESERVED_TYPES.map((type) => [type, namedEventSchema(type)]),
);
for (const type of [undefined, null, ...NAMED_TYPES]) schemas.set(type, wireEventSchema);

/** An element, as documented. */
export const typedEventSchema = wireEventSchema.partial({ name: true }).extend({ type: typeField });
/** Refuses the type, and reports the other faults after it. */
const unknownTypeSchema = z.object({ type: typeField, ...wireEventSchema.shape });
/** The same if the intended type would be the name. */
const namelessUnknownSchema = unknownTypeSchema.partial({ name: true }).transform((_, context): WireEvent => {
  context.addIssue({ code: 'custom', path: ['type'], message: `Expected one of ${types.join(', ')}.` });
  return z.NEVER;
});
const RESERVED: ReadonlySet<unknown> = new Set(RESERVED_TYPES);

export const typedEventReader: EventReader<WireEvent> = {
  schemaOf(element) {
    const type = typeOf(element);
    const schema = schemas.get(type);
    if (schema !== undefined) return schema;
    return RESERVED.has(meantType(type, types)) ? namelessUnknownSchema : unknownTypeSchema;
  },
  aliases: { name: 'eventName' },
  suggestionsOf: (element): Readonly<Record<string, string>> => {
    const type = typeOf(element);
    const suggestion = schemas.has(type) ? undefined : meantType(type, types);
    return suggestion === undefined ? {} : { type: suggestion };
  },
};

function meant(type: unknown): string {
  const suggestion = meantType(type, types);
  return suggestion === undefined ? '.' : `; did you mean "${suggestion}"?`;
}

function typeOf(element: unknown): unknown {
  return typeof element === 'object' && element !== null && 'type' in element ? element.type : undefined;
}

/** The result for a stored event in the answer. */
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

/** The result of `event`, received as `element`. */
export function typedResult(element: unknown, { eventId }: WireEvent): TypedResult {
  const type = typeOf(element);
  return {
    status: 'success',
    type: typeof type === 'string' ? type : DEFAULT_TYPE,
    ...(eventId ? { eventId } : {}),
  };
}
