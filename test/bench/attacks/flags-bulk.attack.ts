/** All flags of a tenant whose payloads are as large as they may be, asked for by strangers from many addresses. */
import { ATTACKER, type Attack, VICTIM, victimOrder } from './attack.ts';

const FLAGS = 1_000;
const PAYLOAD = { text: 'x'.repeat(3_600) };

export const attack: Attack = {
  name: 'flags-bulk',
  description: `strangers ask ten times a second for the ${2 * FLAGS} flags of a tenant that hold 7 MB of payloads`,
  async seed(documents) {
    const { organizationId, websiteId } = ATTACKER;
    for (const scopeId of [organizationId, websiteId]) {
      for (let n = 0; n < FLAGS; n++) {
        const key = `${scopeId}-${String(n).padStart(4, '0')}`;
        await documents.flags.insert({
          ...{ id: `flg_${key}`, organizationId, key, scopeId, name: key, description: '' },
          ...{ websiteId: scopeId === websiteId ? websiteId : null, payload: PAYLOAD, environment: null },
          ...{
            type: 'boolean',
            status: 'active',
            defaultValue: true,
            rolloutPercentage: 0,
            rolloutBy: 'user',
          },
          ...{ rules: [], variants: [], dependencies: [], targetGroupIds: [], createdBy: 'bench' },
        });
      }
    }
  },
  attacker: {
    load: { perSecond: 10 },
    request: (number) => ({
      as: 'stranger',
      path: `/public/v1/flags/bulk?clientId=${ATTACKER.websiteId}&userId=u${number}`,
      address: `10.9.${Math.floor(number / 250) % 250}.${number % 250}`,
    }),
  },
  victim: {
    'POST /track': { perSecond: 10, request: victimOrder },
    'GET /v1/websites': { perSecond: 10, request: () => ({ as: 'victim', path: '/v1/websites' }) },
    'GET /public/v1/flags/bulk': {
      perSecond: 5,
      request: (number) => ({
        as: 'stranger',
        path: `/public/v1/flags/bulk?clientId=${VICTIM.websiteId}&userId=u${number}`,
        address: `10.8.${Math.floor(number / 250) % 250}.${number % 250}`,
      }),
    },
  },
};
