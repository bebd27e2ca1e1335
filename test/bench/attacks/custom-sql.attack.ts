/** Two organizations that send cross joins without pause, and another tenant's small custom query beside them. */
import { ACCOMPLICE, ATTACKER, type Attack, VICTIM } from './attack.ts';

const ENDLESS =
  "SELECT count(*) FROM events a, events b, events c, events d WHERE a.path || b.path || c.path || d.path = 'x'";
const EVENTS = 2_000;
/** So that the number of requests stops neither side, but only the time that they take. */
const LIMITS = { limits: { per10Seconds: 1_000_000, perMinute: 1_000_000, customSqlPerMinute: 1_000_000 } };

export const attack: Attack = {
  name: 'custom-sql',
  description: 'two organizations keep six cross joins each in custom SQL',
  organizations: { victim: LIMITS, attacker: LIMITS, accomplice: LIMITS },
  // At first both have used nothing, and a victim waits for five seconds until one of them is ended.
  leadSeconds: 40,
  async prepare({ send }) {
    for (const [as, { websiteId }] of [
      ['attacker', ATTACKER],
      ['accomplice', ACCOMPLICE],
      ['victim', VICTIM],
    ] as const) {
      for (let sent = 0; sent < EVENTS; sent += 100) {
        const body = Array.from({ length: 100 }, (_, index) => ({
          ...{ name: 'screen_view', path: `/${sent + index}`, websiteId },
        }));
        await send({ as, method: 'POST', path: '/track', body });
      }
    }
  },
  attacker: {
    load: { callers: 12 },
    request: (number) => ({
      as: number % 2 === 0 ? 'attacker' : 'accomplice',
      method: 'POST',
      path: '/v1/query/custom',
      body: { sql: ENDLESS },
    }),
  },
  victim: {
    'POST /v1/query/custom': {
      perSecond: 0.5,
      request: () => ({
        as: 'victim',
        method: 'POST',
        path: `/v1/query/custom?website_id=${VICTIM.websiteId}`,
        body: {
          sql: 'SELECT path, count(*) AS views FROM pageviews GROUP BY path ORDER BY views DESC LIMIT 10',
        },
      }),
    },
  },
};
