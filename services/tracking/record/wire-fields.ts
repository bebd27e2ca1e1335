/** The field types of events on the wire, each with its bound and a message that names the received and the allowed value. */
import { z } from 'zod';
import { cleanText } from '../../shared/text/clean-text.ts';
import { DEEPEST_NESTING, toCleanJson } from './clean-text.ts';
import { EARLIEST_INSTANT, toInstant } from './instant.ts';
import { DOUBTFUL, quickly } from './quick-read.ts';

const MOST_PROPERTIES = 50;
const LARGEST_PROPERTIES_BYTES = 32 * 1024;
/** Largest count and measure. Real ones are far below; sums of larger ones would not be exact. */
const LARGEST_NUMBER = 1_000_000_000;

const PIXEL_SIZE = /^(\d{1,5}x\d{1,5})?$/i;

/** Describes a received value. */
export function received(input: unknown): string {
  if (input === undefined) return 'nothing';
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'an array';
  if (typeof input === 'object') return 'an object';
  return typeof input === 'string' ? 'text' : `the ${typeof input} ${String(input)}`;
}

/** Clean text of at most `most` UTF-16 units, which every kind of text leaves as it is. */
function cleanWithin(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most && cleanText(value) === value;
}

/** Text of at most `most` UTF-16 units, cleaned first. */
export function text(most: number) {
  const schema = z
    .string({
      error: ({ input }) => `Expected text of at most ${most} characters, received ${received(input)}.`,
    })
    .overwrite(cleanText)
    .max(most, {
      error: ({ input }) => `Expected at most ${most} characters, received ${String(input).length}.`,
    });
  return quickly(schema, (value) => (cleanWithin(value, most) ? value : DOUBTFUL));
}

/**
 * An identifier of at most `most` UTF-16 units. One that is not well-formed is refused, since a repaired one could equal
 * another.
 */
export function identifier(most: number) {
  const schema = wellFormed(
    z.string({
      error: ({ input }) => `Expected text of at most ${most} characters, received ${received(input)}.`,
    }),
    most,
  ).max(most, {
    error: ({ input }) => `Expected at most ${most} characters, received ${String(input).length}.`,
  });
  return quickly(schema, (value) => (cleanWithin(value, most) ? value : DOUBTFUL));
}

/** An {@link identifier} that is not blank. `words` describes any other value. */
export function filledIdentifier(most: number, words: (input: unknown) => string = received) {
  const schema = wellFormed(
    z.string({ error: ({ input }) => `Expected text of 1 to ${most} characters, received ${words(input)}.` }),
    most,
  )
    .max(most, {
      error: ({ input }) => `Expected 1 to ${most} characters, received ${String(input).length}.`,
    })
    .refine(isFilled, { error: `Expected 1 to ${most} characters that are not all blank.` });
  return quickly(schema, (value) => (cleanWithin(value, most) && isFilled(value) ? value : DOUBTFUL));
}

function isFilled(value: string): boolean {
  return value.trim() !== '';
}

function wellFormed(text: z.ZodString, most: number) {
  return text.refine((value) => cleanText(value) === value, {
    error: `Expected at most ${most} characters of well-formed Unicode without NUL.`,
  });
}

/** Text of at most `most` UTF-16 units that is not blank. */
export function filledText(most: number) {
  const schema = z
    .string({
      error: ({ input }) => `Expected text of 1 to ${most} characters, received ${received(input)}.`,
    })
    .overwrite(cleanText)
    .max(most, {
      error: ({ input }) => `Expected 1 to ${most} characters, received ${String(input).length}.`,
    })
    .refine(isFilled, { error: `Expected 1 to ${most} characters that are not all blank.` });
  return quickly(schema, (value) => (cleanWithin(value, most) && isFilled(value) ? value : DOUBTFUL));
}

/** Text of at most `most` kilobytes of UTF-8. */
export function longText(most: number) {
  const mostBytes = most * 1024;
  const isShort = (value: string) => Buffer.byteLength(value) <= mostBytes;
  const schema = z
    .string({ error: ({ input }) => `Expected text of at most ${most} KB, received ${received(input)}.` })
    .overwrite(cleanText)
    .refine(isShort, {
      error: ({ input }) =>
        `Expected at most ${most} KB (${mostBytes} bytes), received ${Buffer.byteLength(String(input))} bytes.`,
    });
  return quickly(schema, (value) => (cleanWithin(value, mostBytes) && isShort(value) ? value : DOUBTFUL));
}

/** A number of `least`..`most`. */
export function measure(least = 0, most = LARGEST_NUMBER) {
  const error = ({ input }: { input?: unknown }) =>
    `Expected a number of ${least}..${most}, received ${received(input)}.`;
  const schema = z.number({ error }).min(least, { error }).max(most, { error });
  return quickly(schema, (value) => (isWithin(value, least, most) ? value : DOUBTFUL));
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

/** A whole number, 0 or more. */
export function count() {
  const error = ({ input }: { input?: unknown }) =>
    `Expected a whole number of 0..${LARGEST_NUMBER}, received ${received(input)}.`;
  const schema = z.number({ error }).int({ error }).min(0, { error }).max(LARGEST_NUMBER, { error });
  return quickly(schema, (value) =>
    isWithin(value, 0, LARGEST_NUMBER) && Number.isInteger(value) ? value : DOUBTFUL,
  );
}

/** A size in pixels, such as `1920x1080`, or nothing. */
export function pixelSize() {
  const schema = text(11).regex(PIXEL_SIZE, {
    error: 'Expected width and height in pixels, such as 1920x1080.',
  });
  return quickly(schema, (value) => (typeof value === 'string' && PIXEL_SIZE.test(value) ? value : DOUBTFUL));
}

/** An instant from 2000-01-01 on, in epoch milliseconds; whether it is in the future is checked where the clock is. */
export function instant() {
  const allowed = 'milliseconds since 1970 or ISO 8601 text, from 2000-01-01 to an hour from now';
  const read = (value: unknown) => {
    const milliseconds = toInstant(value);
    return milliseconds !== null && milliseconds >= EARLIEST_INSTANT ? milliseconds : DOUBTFUL;
  };
  const schema = z
    .union([z.number(), z.string()], {
      error: ({ input }) => `Expected ${allowed}; received ${received(input)}.`,
    })
    .transform((value, context) => {
      const milliseconds = read(value);
      if (milliseconds !== DOUBTFUL) return milliseconds;
      context.addIssue({
        code: 'custom',
        message: `Expected ${allowed}; received ${JSON.stringify(value).slice(0, 60)}.`,
      });
      return z.NEVER;
    });
  return quickly(schema, read);
}

/** An object of at most `most` keys, counted before any value is read; `values` is the schema of the values. */
export function objectOfKeys<T>(values: z.ZodType<T>, most: number, error: (input: unknown) => string) {
  const schema = z.record(z.string(), values);
  return countedObject(schema, most, error).pipe(schema);
}

/** An object of at most `most` keys, whatever they hold; documented as `schema`. */
function countedObject(schema: z.ZodType, most: number, error: (input: unknown) => string) {
  return z
    .unknown()
    .meta({ ...z.toJSONSchema(schema, { io: 'input' }), $schema: undefined })
    .refine(isObject, { error: ({ input }) => error(input), abort: true })
    .refine((value) => keysOf(value) <= most, {
      error: ({ input }) => `Expected at most ${most} keys, received ${keysOf(input)}.`,
      abort: true,
    });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function keysOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

/** An object of at most 50 keys and 32 KB, as JSON text. */
export function properties() {
  const expected = (input: unknown) =>
    `Expected an object of at most ${MOST_PROPERTIES} keys, received ${received(input)}.`;
  const shown = z.record(z.string(), z.unknown());
  const schema = countedObject(shown, MOST_PROPERTIES, expected).transform((value, context) => {
    const fault = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    const json = toCleanJson(value);
    if (json === undefined) return fault(`Expected values nested at most ${DEEPEST_NESTING} levels deep.`);
    const bytes = Buffer.byteLength(json);
    if (bytes <= LARGEST_PROPERTIES_BYTES) return json;
    return fault(
      `Expected at most 32 KB (${LARGEST_PROPERTIES_BYTES} bytes) as JSON, received ${bytes} bytes.`,
    );
  });
  return quickly(schema, (value) => {
    if (!isObject(value) || keysOf(value) > MOST_PROPERTIES) return DOUBTFUL;
    const json = toCleanJson(value);
    return json !== undefined && Buffer.byteLength(json) <= LARGEST_PROPERTIES_BYTES ? json : DOUBTFUL;
  });
}
