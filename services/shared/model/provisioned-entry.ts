/** Which text of a provisioning entry was applied last, so that later changes through the API stay. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

export const provisionedEntrySchema = storedSchema.extend({
  /** SHA-256 of the entry's canonical JSON when it was last applied, lower-case hexadecimal. */
  textHash: z.string(),
});
export type ProvisionedEntry = z.infer<typeof provisionedEntrySchema>;
