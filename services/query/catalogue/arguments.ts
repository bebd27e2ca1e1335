/** What a request tells one dataset alone, such as which session it is about: declared by the dataset, as a schema. */
import { z } from 'zod';
import { faultOfText } from '../../shared/text/faulty-text.ts';
import { notA } from '../stages/wording.ts';

/**
 * The arguments of a dataset by name, each with a description; the output of the schema must be JSON. What concerns
 * several of them is a refinement of the object. No argument may be called like a field of every parameter.
 */
export type ArgumentsSchema = z.ZodObject;

/** Any JSON. */
export type ArgumentValue =
  | string
  | number
  | boolean
  | null
  | readonly ArgumentValue[]
  | { readonly [name: string]: ArgumentValue };

/** The checked values of the arguments that came, by name; empty for a dataset without any. */
export type ArgumentValues = { readonly [name: string]: ArgumentValue };

export const NO_ARGUMENTS: ArgumentValues = {};

/** An argument: an identifier as events have it, of 1 to `longest` characters. */
export function identifierArgument(longest: number, description: string) {
  return z
    .string({ error: notA(`a text of 1 to ${longest} characters`) })
    .min(1, `A text of 1 to ${longest} characters.`)
    .max(longest, `A text of 1 to ${longest} characters.`)
    .check(({ value, issues }) => {
      const message = faultOfText(value);
      if (message !== null) issues.push({ code: 'custom', message, input: undefined });
    })
    .describe(description);
}

/** How long the cursor of a feed may be: one that was read for long, with some to spare. */
const LONGEST_CURSOR = 8_192;

/** An argument: where a feed goes on. */
export function cursorArgument() {
  return z
    .string({ error: notA('the cursor of an answer') })
    .min(1)
    .max(LONGEST_CURSOR)
    .optional()
    .describe('The cursor of the answer before, about the same events and filters; absent: the newest rows.');
}
