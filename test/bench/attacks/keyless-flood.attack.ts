/** A stranger without a key who sends bodies near the largest from one address, long after its bytes of the minute are used up. */
import { ATTACKER, type Attack, VICTIM, victimOrder } from './attack.ts';

const BODY_BYTES = 1_800_000;
/** One event, of which little is stored. */
const BODY = JSON.stringify({ name: 'noise', ignored: 'x'.repeat(BODY_BYTES) });

export const attack: Attack = {
  name: 'keyless-flood',
  description: `a stranger without a key sends ${BODY_BYTES / 1_000_000} MB forty times a second from one address`,
  attacker: {
    load: { perSecond: 40 },
    request: () => ({
      as: 'stranger',
      method: 'POST',
      path: `/events?client_id=${ATTACKER.websiteId}`,
      body: BODY,
    }),
  },
  victim: {
    'POST /track': { perSecond: 20, request: victimOrder },
    'POST /events without a key': {
      perSecond: 1,
      request: (number) => ({
        as: 'stranger',
        method: 'POST',
        path: `/events?client_id=${VICTIM.websiteId}`,
        body: { name: 'seen', properties: { number } },
        address: `10.8.${Math.floor(number / 250) % 250}.${number % 250}`,
      }),
    },
    'GET /v1/websites': { perSecond: 10, request: () => ({ as: 'victim', path: '/v1/websites' }) },
  },
};
