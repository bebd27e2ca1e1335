/** Makes websites through the API, as the suites of their endpoints need them. */
import { expectSuccess } from './answers.ts';
import type { TestServer } from './start-tidegate.ts';

let made = 0;

/** A new website of org_main, as the answer shows it; its domain is one that no other has. */
export async function createWebsite(server: TestServer, fields: object = {}) {
  const body = { name: 'New', domain: `new${++made}.example.com`, ...fields };
  const answer = await server.call('POST', '/v1/websites', { key: server.keys.all, body });
  expectSuccess(answer, 201);
  return answer.body.data;
}
