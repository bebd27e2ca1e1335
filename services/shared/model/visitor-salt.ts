/**
 * The random salt of one day, which tells visitors without id apart: kept while events of that day arrive, then
 * forgotten.
 */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

/** The tenant of all salts: they belong to no organization. */
export const SALT_TENANT = 'visitors';

export const visitorSaltSchema = storedSchema.extend({
  /** 32 random bytes in base64url. */
  salt: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
});
export type VisitorSalt = z.infer<typeof visitorSaltSchema>;

/** The identifier of a day's salt: days since 1970 in UTC, ascending. */
export function visitorSaltId(day: number): string {
  return `slt_${new Date(day * 86_400_000).toISOString().slice(0, 10)}`;
}
