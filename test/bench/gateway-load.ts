/** What the gateway bench asks its targets: one request that reads, and one that writes. */
import type { Method } from './report.ts';
import type { LoadRequest } from './wrk-load.ts';

/** The requests of the load, the same for every target: one that reads, and one event of about 300 bytes that writes. */
export function loadRequests(apiKey: string): Record<Method, LoadRequest> {
  const event = {
    name: 'checkout_completed',
    eventId: 'evt_01k3v9q2m5x7b8c4d6f0g1h2j3',
    anonymousId: 'anon_7c2a9f54-1b7e-4c1d-9a53-0d6b2f8e4a10',
    sessionId: 'sess_5e0b7c9a4f12',
    path: '/checkout/complete',
    properties: { plan: 'pro', currency: 'EUR', amount: 4900, coupon: null, items: 3, returning: true },
  };
  return {
    GET: { method: 'GET', path: '/v1/query/websites', headers: { 'x-api-key': apiKey } },
    POST: {
      method: 'POST',
      path: '/track',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(event),
    },
  };
}
