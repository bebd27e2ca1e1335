/** What a share may hold when it is written, and how it looks on the wire (contract.md section 9). */
import { z } from 'zod';
import { PASSWORD_LENGTH } from '../../shared/credentials/password.ts';
import type { SecretSealer } from '../../shared/credentials/secret-sealer.ts';
import { type Share, shareSchema } from '../../shared/model/share.ts';
import { nameSchema } from '../../shared/text/name-schema.ts';
import { parseUrl } from '../../shared/text/parse-url.ts';
import { wordedInstantSchema } from '../instant-input.ts';

const MOST_DATASETS = 50;
const MOST_ORIGINS = 20;
const LONGEST_ORIGIN = 255;

const ORIGIN = 'Allowed: a web origin, such as "https://www.example.com" or "http://localhost:3000".';
const PASSWORD = `Allowed: a text of ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters, or null.`;

/** As a browser writes it, so that it can stand in a policy of frames. */
function isOrigin(text: string): boolean {
  const url = parseUrl(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}

const differ = (list: readonly string[]) => new Set(list).size === list.length;

/** The request for a new share. */
export const shareInputSchema = z.strictObject({
  websiteId: z.string().min(1).max(64).describe('A website that the caller reaches; it stays with it.'),
  view: z
    .string('Allowed: the identifier of a shared view.')
    .min(1)
    .max(64)
    .describe('Identifier of a saved view of the website that is shared: what readers may see.'),
  name: nameSchema(),
  expiresAt: wordedInstantSchema
    .nullish()
    .describe('From then on it is as if it did not exist; null: never.'),
  password: z
    .string(PASSWORD)
    .min(PASSWORD_LENGTH.min, PASSWORD)
    .max(PASSWORD_LENGTH.max, PASSWORD)
    .nullish()
    .describe('Asked of readers; never shown. Null: the link is enough.'),
  datasets: z
    .array(z.string().min(1).max(128), 'Allowed: a list of names of datasets.')
    .min(1, 'At least one dataset.')
    .max(MOST_DATASETS, `At most ${MOST_DATASETS} datasets.`)
    .refine(differ, 'Each dataset once.')
    .describe('What readers may ask for. Datasets that show single people cannot be shared.'),
  origins: z
    .array(z.string().max(LONGEST_ORIGIN).refine(isOrigin, ORIGIN), 'Allowed: a list of origins.')
    .max(MOST_ORIGINS, `At most ${MOST_ORIGINS} origins.`)
    .refine(differ, 'Each origin once.')
    .optional()
    .describe('Pages that may embed it; none by default.'),
});
export type ShareInput = z.output<typeof shareInputSchema>;

/** What may change; null removes the expiry and the password. */
export const shareChangesSchema = shareInputSchema.omit({ websiteId: true }).partial();
export type ShareChanges = z.output<typeof shareChangesSchema>;

/** A share on the wire. */
export const shareViewSchema = shareSchema
  .omit({ version: true, tokenHash: true, passwordHash: true, ticketKey: true })
  .extend({
    token: z
      .string()
      .nullable()
      .describe('Its secret, which is part of the link; null when the key that sealed it is gone.'),
    hasPassword: z.boolean(),
  });
export type ShareView = z.infer<typeof shareViewSchema>;

/** Where the token of a share is sealed. */
export function tokenPlace({ organizationId, id }: Pick<Share, 'organizationId' | 'id'>) {
  return { organizationId, integrationId: id, field: 'token' };
}

export function toShareView(share: Share, sealer: SecretSealer): ShareView {
  const { id, organizationId, websiteId, view, name, expiresAt, datasets, origins } = share;
  const { createdBy, createdAt, updatedAt } = share;
  const token = sealer.open(tokenPlace(share), share.token);
  const shown = { token, expiresAt, hasPassword: share.passwordHash !== null, datasets, origins };
  return { id, organizationId, websiteId, view, name, ...shown, createdBy, createdAt, updatedAt };
}
