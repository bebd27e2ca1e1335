/** Seals the secrets of every integration, and the tokens of shares, with the first key, so that an older key can be removed (docs/secrets.md). */
import { z } from 'zod';
import type { SecretSealer } from '../../shared/credentials/secret-sealer.ts';
import type { Integration } from '../../shared/model/integration.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { resealedTokensSchema, resealTokens } from '../shares/reseal-tokens.ts';
import { writeMatching } from '../write-matching.ts';
import { resealed } from './sealed-secrets.ts';

const secretsOfOne = z.object({
  organizationId: z.string(),
  integrationId: z.string(),
  /** Names of the secrets. */
  fields: z.array(z.string()),
});

/** The result. */
export const resealReportSchema = z.object({
  /** The key that seals now. */
  keyId: z.string(),
  /** Integrations whose secrets were under an older key. */
  resealed: z.array(secretsOfOne),
  /** Those whose secrets no key opens; they stay as they are. */
  unreadable: z.array(secretsOfOne),
  /** The same for the tokens of shares. */
  shares: resealedTokensSchema,
});
export type ResealReport = z.infer<typeof resealReportSchema>;

/**
 * Those of every organization, one after the other; safe to repeat, and beside a running server.
 * @throws ApiError SERVICE_UNAVAILABLE, CONFLICT
 */
export async function resealIntegrations(
  documents: DocumentStore,
  sealer: SecretSealer,
): Promise<ResealReport> {
  const report: ResealReport = {
    keyId: sealer.keyId,
    resealed: [],
    unreadable: [],
    shares: { resealed: [], unreadable: [] },
  };
  for (const { id: organizationId } of await documents.allOrganizations()) {
    for (const { id } of await documents.integrations.all(organizationId)) {
      const of = { organizationId, integrationId: id };
      const { fields, unreadable } = await resealOne(documents, sealer, organizationId, id);
      if (fields.length > 0) report.resealed.push({ ...of, fields: [...fields] });
      if (unreadable.length > 0) report.unreadable.push({ ...of, fields: [...unreadable] });
    }
  }
  return { ...report, shares: await resealTokens(documents, sealer) };
}

async function resealOne(
  documents: DocumentStore,
  sealer: SecretSealer,
  organizationId: string,
  id: string,
): Promise<Pick<ReturnType<typeof resealed>, 'fields' | 'unreadable'>> {
  let outcome: ReturnType<typeof resealed> = { secrets: {}, fields: [], unreadable: [] };
  // It may have been removed meanwhile.
  if ((await documents.integrations.get(organizationId, id)) === null) return outcome;
  await writeMatching(documents.integrations, {
    ...{ organizationId, id, kind: 'integration' },
    changesOf(existing: Integration) {
      outcome = resealed(existing, sealer);
      return outcome.fields.length > 0 ? { secrets: outcome.secrets } : null;
    },
  });
  return outcome;
}
