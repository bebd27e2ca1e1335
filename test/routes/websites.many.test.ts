/** A key of many websites: its identity token is large, and still reaches the service. */
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { expectSuccess } from '../support/answers.ts';
import { newKeyText, startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

const KEY = newKeyText();
const WEBSITES = Array.from({ length: 400 }, (_, index) => `web_with-a-rather-long-identifier-${index}`);
const PROVISIONING = `
organizations:
  - id: org_many
    name: Many
    plan: free
    websites:
${WEBSITES.map((id) => `      - { id: ${id}, name: many, domain: ${id.replace('_', '-')}.example.com }`).join('\n')}
    apiKeys:
      - { id: key_many, name: many, key: ${KEY}, scopes: [read:data], access: { level: website, websiteIds: [${WEBSITES.join(', ')}] } }
`;

describe('a key of 400 websites', () => {
  const folder = createTempDirectory();
  let server: TestServer;

  before(async () => {
    writeFileSync(folder.file('many.yml'), PROVISIONING);
    server = await startTidegate({ settings: { PROVISION_FILE: folder.file('many.yml') } });
  });
  after(async () => {
    await server.close();
    folder.remove();
  });

  it('is answered with all of them by GET /v1/query/websites', async () => {
    const answer = await server.call('GET', '/v1/query/websites', { key: KEY });
    expectSuccess(answer);
    expect(answer.body.total).to.equal(400);
  });
});
