/** What people call a thing: the one rule of names, and of short texts that stand alone where they are shown. */
import { z } from 'zod';
import { cleanText } from './clean-text.ts';

const LONGEST_NAME = 100;
/** A character that leaves ink: no white space, control, format or filler character. */
const SEEN = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/**
 * A text of 1 to `longest` characters, without white space around it; something of it must be seen, as a link or a row
 * without a text can be neither read nor told apart. Stores and engines can hold it ({@link cleanText}).
 */
export function nameSchema(longest: number = LONGEST_NAME) {
  const what = `a text of 1 to ${longest} characters`;
  const allowed = `Allowed: ${what}.`;
  return (
    z
      .string(allowed)
      .overwrite((text) => cleanText(text).trim())
      // The first fault is enough: each is told once.
      .min(1, { error: allowed, abort: true })
      .max(longest, { error: allowed, abort: true })
      .refine((text) => SEEN.test(text), allowed)
      .describe(what)
  );
}
