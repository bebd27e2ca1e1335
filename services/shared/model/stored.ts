/** The fields of every document, whichever store holds it. */
import { z } from 'zod';

export const storedSchema = z.object({
  id: z.string(),
  /** The tenant; a user and an organization are their own tenant, by their own id. */
  organizationId: z.string(),
  /** Each update raises it by one; compare-and-set relies on it. */
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Stored = z.infer<typeof storedSchema>;

/** A field of a document, or a nested field written with dots. */
export type FieldPath<T extends Stored> = (keyof T & string) | `${keyof T & string}.${string}`;
