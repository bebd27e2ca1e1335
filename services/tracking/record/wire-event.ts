/** An event as clients send it to POST /track: every field of datasets.md that the route can carry, with its bound. */
import { z } from 'zod';
import { LONGEST_WEBSITE_ID } from '../../shared/access/named-website.ts';
import { createQuickObject, DOUBTFUL, type QuickObject, quickly, quicklyRefined } from './quick-read.ts';
import { DOUBTFUL_NAMES } from './website-names.ts';
import {
  count,
  filledIdentifier,
  filledText,
  identifier,
  instant,
  longText,
  measure,
  pixelSize,
  properties,
  text,
} from './wire-fields.ts';

/** Who and where: fields that every ingest route has. Null is absent. */
export const visitFields = {
  timestamp: instant()
    .nullish()
    .describe(
      'When it happened, in milliseconds since 1970 or as ISO 8601 text; from 2000-01-01 to an hour from now. Default: now.',
    ),
  websiteId: filledIdentifier(LONGEST_WEBSITE_ID)
    .nullish()
    .describe('The website that the event belongs to.'),
  website_id: filledIdentifier(LONGEST_WEBSITE_ID).nullish().describe('The same as websiteId.'),
  anonymousId: identifier(256).nullish().describe('The visitor, as the client knows it.'),
  sessionId: identifier(256).nullish(),
  profileId: identifier(128).nullish().describe("The visitor's identity in the client's own system."),
  eventId: identifier(512).nullish().describe('Identifies the event, so that a repeat is recognized.'),
  anonymizeVisitorIds: quickly(
    z.union([z.boolean(), z.literal('auto')], { error: 'Expected true, false or "auto".' }),
    (value) => (typeof value === 'boolean' || value === 'auto' ? value : DOUBTFUL),
  )
    .nullish()
    .describe('true or "auto": a hash of anonymousId that changes daily is stored in its place.'),
  path: text(2048).nullish().describe('Full URL or path of the page.'),
  referrer: text(2048).nullish(),
  title: text(512).nullish(),
} as const;

/** Campaign fields; taken from the URL when absent. */
export const campaignFields = {
  utm_source: text(256).nullish(),
  utm_medium: text(256).nullish(),
  utm_campaign: text(256).nullish(),
  utm_term: text(256).nullish(),
  utm_content: text(256).nullish(),
} as const;

/** Measurements of the tracker. */
export const measuringFields = {
  screen_resolution: pixelSize().nullish(),
  viewport_size: pixelSize().nullish(),
  timezone: text(64).nullish(),
  language: text(35).nullish(),
  time_on_page: measure().nullish().describe('Seconds.'),
  scroll_depth: measure(0, 100).nullish().describe('Percent.'),
  interaction_count: count().nullish(),
  page_count: count().nullish(),
  load_time: measure().nullish().describe('Milliseconds.'),
  ttfb: measure().nullish().describe('Milliseconds.'),
  dom_ready_time: measure().nullish().describe('Milliseconds.'),
  render_time: measure().nullish().describe('Milliseconds.'),
} as const;

const METRICS = ['FCP', 'LCP', 'CLS', 'INP', 'TTFB', 'FPS'] as const;

/** Fields of the reserved events web_vitals, error and outgoing_link. */
export const reservedEventFields = {
  metricName: quickly(z.enum(METRICS, { error: `Expected one of ${METRICS.join(', ')}.` }), (value) =>
    METRICS.some((metric) => metric === value) ? value : DOUBTFUL,
  ).nullish(),
  metricValue: measure(-1_000_000_000).nullish(),
  message: longText(8).nullish(),
  errorType: longText(8).nullish(),
  filename: longText(8).nullish(),
  lineno: count().nullish(),
  colno: count().nullish(),
  stack: longText(32).nullish(),
  href: text(2048).nullish(),
  text: text(256).nullish(),
} as const;

/** Every field of an event but its name. */
const namelessFields = {
  properties: properties().nullish().describe('At most 50 keys and 32 KB.'),
  namespace: text(64).nullish(),
  source: text(64).nullish(),
  ...visitFields,
  ...campaignFields,
  ...measuringFields,
  ...reservedEventFields,
} as const;

/** The reserved event that no client sends: redirects of short links write it (datasets.md). */
const REDIRECT_NAME = 'link_click';

/** One event of POST /track. Further fields are ignored. */
export const wireEventSchema = z.object(
  {
    name: quicklyRefined(
      filledText(256),
      (name) => name !== REDIRECT_NAME,
      `Expected another name than ${REDIRECT_NAME}: only the redirects of short links write it.`,
    ).describe(`Name of the event: 1 to 256 characters, not all blank, and not ${REDIRECT_NAME}.`),
    ...namelessFields,
  },
  { error: 'Expected an event, which is an object with a name.' },
);

/** For schemas of events: what they make of an event that is plainly sound. */
const quickEvents = new WeakMap<z.ZodType, QuickObject>([
  [wireEventSchema, createQuickObject(wireEventSchema.shape, DOUBTFUL_NAMES)],
]);

/** What `schema` makes of an event that is plainly sound; null: only the schema can tell. */
export function readQuickly<T>(schema: z.ZodType<T>, event: object): T | null {
  return (quickEvents.get(schema)?.(event) ?? null) as T | null;
}

/** An event after validation: clean texts, the instant in milliseconds, properties as JSON text. */
export type WireEvent = z.infer<typeof wireEventSchema>;

/** An event whose name follows from its route or type; a name of its own and further fields are ignored. */
export function namedEventSchema(name: ReservedEventName): z.ZodType<WireEvent> {
  const error = `Expected an object with the fields of the event ${name}.`;
  const shape: Readonly<Record<string, z.ZodType>> & Omit<typeof namelessFields, keyof Needed> & Needed = {
    ...namelessFields,
    ...(REQUIRED_FIELDS[name] ?? {}),
  };
  const schema = z.object(shape, { error }).transform((event) => ({ ...event, name }));
  const quick = createQuickObject(shape, DOUBTFUL_NAMES);
  quickEvents.set(schema, (given) => {
    const event = quick(given);
    if (event !== null) event.name = name;
    return event;
  });
  return schema;
}

/** The reserved events that clients send. */
type ReservedEventName = 'screen_view' | 'page_exit' | 'outgoing_link' | 'error' | 'web_vitals';

/** Required fields by event name. */
interface Needed {
  readonly message: z.ZodType<WireEvent['message']>;
  readonly metricName: z.ZodType<WireEvent['metricName']>;
  readonly metricValue: z.ZodType<WireEvent['metricValue']>;
}

const REQUIRED_FIELDS: Readonly<Partial<Record<ReservedEventName, Partial<Needed>>>> = {
  error: { message: reservedEventFields.message.unwrap().unwrap() },
  web_vitals: {
    metricName: reservedEventFields.metricName.unwrap().unwrap(),
    metricValue: reservedEventFields.metricValue.unwrap().unwrap(),
  },
};
