/** A search that finds nothing among many documents, asked for again and again. */
import { ATTACKER, type Attack, VICTIM, victimOrder } from './attack.ts';

const LINKS = 8_000;

export const attack: Attack = {
  name: 'documents-search',
  description: `one tenant with ${LINKS} links searches them for what is not there, eight requests a second`,
  async seed(documents) {
    const common = { organizationId: ATTACKER.organizationId, websiteId: null, createdBy: 'bench' };
    const absent = { expiresAt: null, expiredRedirectUrl: null, iosUrl: null, androidUrl: null };
    const preview = { ogTitle: null, ogDescription: null, ogImageUrl: null };
    for (let n = 0; n < LINKS; n++) {
      const names = { id: `lnk_attack_${n}`, slug: `attack-${n}`, name: `Offer ${LINKS - n}` };
      const targetUrl = `https://attacker.example.com/offers/${n}?utm_source=poster`;
      await documents.links.insert({
        ...{ ...common, ...absent, ...preview, ...names },
        ...{ targetUrl, tags: ['poster', `batch-${n % 40}`] },
      });
    }
  },
  attacker: {
    load: { perSecond: 8 },
    request: (number) => ({
      as: 'attacker',
      path: `/v1/links?limit=1&search=zzzz&sort=${['createdAt', '-createdAt', 'name', '-slug'][number % 4]}`,
    }),
  },
  victim: {
    'POST /track': { perSecond: 10, request: victimOrder },
    'POST /v1/query': {
      perSecond: 5,
      request: () => ({
        as: 'victim',
        method: 'POST',
        path: `/v1/query?website_id=${VICTIM.websiteId}`,
        body: { parameters: ['summary_metrics'], preset: 'last_7d' },
      }),
    },
  },
};
