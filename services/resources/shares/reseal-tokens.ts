/** Seals the token of every share with the first key, so that an older key can be removed (docs/secrets.md). */
import { z } from 'zod';
import type { SecretSealer } from '../../shared/credentials/secret-sealer.ts';
import type { Share } from '../../shared/model/share.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { writeMatching } from '../write-matching.ts';
import { tokenPlace } from './schema.ts';

const placeSchema = z.object({ organizationId: z.string(), shareId: z.string() });

/** The result: shares whose token was under an older key, and those whose token no key opens. */
export const resealedTokensSchema = z.object({
  resealed: z.array(placeSchema),
  unreadable: z.array(placeSchema),
});
export type ResealedTokens = z.infer<typeof resealedTokensSchema>;

/** Those of every organization; safe to repeat, and beside a running server. @throws ApiError CONFLICT */
export async function resealTokens(
  documents: Pick<DocumentStore, 'allOrganizations' | 'shares'>,
  sealer: SecretSealer,
): Promise<ResealedTokens> {
  const report: ResealedTokens = { resealed: [], unreadable: [] };
  for (const { id: organizationId } of await documents.allOrganizations()) {
    for (const share of await documents.shares.all(organizationId)) {
      const of = { organizationId, shareId: share.id };
      const token = sealer.open(tokenPlace(share), share.token);
      if (token === null) report.unreadable.push(of);
      else if (share.token.keyId !== sealer.keyId && (await resealOne(documents, sealer, share, token))) {
        report.resealed.push(of);
      }
    }
  }
  return report;
}

/** Whether it was still there. A token never changes, so the one that was read is that of the share. */
async function resealOne(
  { shares }: Pick<DocumentStore, 'shares'>,
  sealer: SecretSealer,
  { organizationId, id, ...share }: Share,
  token: string,
): Promise<boolean> {
  if ((await shares.get(organizationId, id)) === null) return false;
  const sealed = sealer.seal(tokenPlace({ ...share, organizationId, id }), token);
  const changesOf = () => ({ token: sealed });
  return (await writeMatching(shares, { organizationId, id, kind: 'share', changesOf })).changed;
}
