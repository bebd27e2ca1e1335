/** The query parameters that name one website on routes about people; without them the whole organization is meant. */
import { z } from 'zod';
import { validationError } from '../shared/errors/zod-details.ts';

const websiteSelector = z
  .string('Name one website.')
  .min(1, 'At least one character.')
  .max(128, 'At most 128 characters.')
  .optional();

/** `meaning`: what is restricted to the website. */
export function websiteSelectorSchema(meaning: string) {
  return z.strictObject({
    website_id: websiteSelector.describe(meaning),
    websiteId: websiteSelector.describe('The same as `website_id`.'),
  });
}
export type WebsiteSelector = z.infer<ReturnType<typeof websiteSelectorSchema>>;

/** The website; null when none is named. @throws ApiError VALIDATION_ERROR when two are */
export function selectedWebsite({ website_id, websiteId }: WebsiteSelector): string | null {
  if (website_id !== undefined && websiteId !== undefined && website_id !== websiteId) {
    const message = `Came another website than website_id names. Allowed: the same, or one of the two.`;
    throw validationError([{ field: 'websiteId', message }]);
  }
  return website_id ?? websiteId ?? null;
}
