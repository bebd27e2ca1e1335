/** The body of POST /identify, with its bounds (datasets.md, The record of an event). */
import { z } from 'zod';
import { LONGEST_WEBSITE_ID } from '../../shared/access/named-website.ts';
import { type Traits, traitSchema } from '../../shared/model/profile.ts';
import { cleanText } from '../../shared/text/clean-text.ts';
import { filledIdentifier, identifier, objectOfKeys } from '../record/wire-fields.ts';

const MOST_TRAITS = 50;
const LARGEST_TRAITS_BYTES = 2 * 1024;

/** Which bound these traits exceed, or null. */
export function traitsFault(traits: Traits): string | null {
  const keys = Object.keys(traits).length;
  if (keys > MOST_TRAITS) return `Expected at most ${MOST_TRAITS} traits, received ${keys}.`;
  const bytes = Buffer.byteLength(JSON.stringify(traits));
  if (bytes <= LARGEST_TRAITS_BYTES) return null;
  return `Expected at most 2 KB (${LARGEST_TRAITS_BYTES} bytes) of traits as JSON, received ${bytes} bytes.`;
}

const NO_TRAITS = 'Expected an object of texts, numbers, true, false and null.';

const traits = objectOfKeys(traitSchema, MOST_TRAITS, () => NO_TRAITS).transform((value, context): Traits => {
  const clean = Object.fromEntries(
    Object.entries(value).map(([key, trait]) => [
      cleanText(key),
      typeof trait === 'string' ? cleanText(trait) : trait,
    ]),
  );
  const fault = traitsFault(clean);
  if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  return clean;
});

/** Further fields are ignored. */
export const wireProfileSchema = z.object(
  {
    profileId: filledIdentifier(128).describe("The person in the client's own system."),
    anonymousId: identifier(256).nullish().describe('The visitor that this person is.'),
    traits: traits
      .nullish()
      .describe('At most 50 and 2 KB; they are added to those known, and null removes one.'),
    websiteId: filledIdentifier(LONGEST_WEBSITE_ID).nullish().describe('The website that knows the person.'),
    website_id: filledIdentifier(LONGEST_WEBSITE_ID).nullish().describe('The same as websiteId.'),
  },
  { error: 'Expected an object with a profileId.' },
);
export type WireProfile = z.infer<typeof wireProfileSchema>;
