/** Shares for tests: a view that is shared, and a link to it. */
import { expectSuccess } from './answers.ts';
import type { TestServer } from './start-tidegate.ts';

export interface MadeShare {
  readonly id: string;
  readonly view: string;
  readonly token: string;
}

/** A share of `web_shop` over the last seven days, unless something else is asked for. */
export async function makeShare(
  server: TestServer,
  asked: Readonly<Record<string, unknown>> = {},
  state: Readonly<Record<string, unknown>> = { preset: 'last_7d' },
): Promise<MadeShare> {
  const made = async (path: string, body: object) => {
    const answer = await server.call('POST', path, { key: server.keys.all, body });
    expectSuccess(answer, 201);
    return answer.body.data;
  };
  const { websiteId = 'web_shop' } = asked;
  const view = await made('/v1/views', { websiteId, name: 'View', state, shared: true });
  return made('/v1/shares', {
    ...{ websiteId, view: view.id, name: 'Agency', datasets: ['summary_metrics', 'summary', 'top_pages'] },
    ...asked,
  });
}
