/** Events that keep arriving at a website: a fixed crowd that goes from page to page, so that lists are full and stay so. */
import { expectSuccess } from './answers.ts';
import type { TestServer } from './start-tidegate.ts';

const VISITORS = 20;
const PAGES = 15;
const SOURCES = 12;

/** Sends the next `count` events to `web_shop` each time. */
export function arrivingEvents(server: TestServer): (count: number) => Promise<void> {
  let next = 0;
  return async (count) => {
    const body = Array.from({ length: count }, () => {
      const index = next++;
      const [visitor, source] = [index % VISITORS, index % SOURCES];
      return {
        ...{ name: 'screen_view', websiteId: 'web_shop', path: `/pages/${index % PAGES}` },
        ...{ anonymousId: `visitor-${visitor}`, sessionId: `session-${visitor}` },
        referrer: `https://source-${source}.example.org/`,
      };
    });
    expectSuccess(await server.call('POST', '/track', { key: server.keys.all, body }));
  };
}
