/** The YAML is the only rule: what an endpoint says of scopes, access and roles is what the services do, looser than shipped too. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { expectError, expectSuccess } from '../support/answers.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import type { TestKeys } from '../support/test-organizations.ts';

/** Endpoints as shipped up to their rule, that rule, and the one of this configuration. */
const CHANGED = [
  ['paths: [/v1/links, "/v1/links/:id"]\n    methods: GET', 'scopes: [read:links]', 'scopes: [track:events]'],
  ['paths: /v1/query/websites\n    methods: GET', 'scopes: [read:data]', 'scopes: [read:links]'],
  ['paths: /v1/query/types\n    methods: GET', 'access: public', 'scopes: [read:data]'],
  ['paths: /v1/organization\n    methods: [GET, PATCH]', 'scopes: [manage:config]', 'access: public'],
] as const;

describe('an endpoint whose rule is not the shipped one', () => {
  let folder: TempDirectory;
  let server: TestServer;

  before(async () => {
    folder = createTempDirectory();
    cpSync(join(PACKAGE_ROOT, 'config'), folder.path, { recursive: true });
    const file = folder.file('gateway.config.yml');
    let text = readFileSync(file, 'utf8');
    for (const [place, shipped, rule] of CHANGED) {
      expect(text).to.include(`${place}\n    ${shipped}`);
      text = text.replace(`${place}\n    ${shipped}`, `${place}\n    ${rule}`);
    }
    writeFileSync(file, text);
    server = await startTidegate({ configDir: folder.path });
  });
  after(async () => {
    await server.close();
    folder.remove();
  });

  const call = (method: string, path: string, key?: keyof TestKeys) =>
    server.call(method, path, key === undefined ? {} : { key: server.keys[key] });
  const cases: readonly (readonly [path: string, admitted: keyof TestKeys, refused: keyof TestKeys])[] = [
    ['/v1/links', 'trackOnly', 'linksOnly'],
    ['/v1/query/websites', 'linksOnly', 'readOnly'],
    ['/v1/query/types', 'readOnly', 'trackOnly'],
  ];
  for (const [path, admitted, refused] of cases) {
    it(`lets the key ${admitted} read ${path}, and the key ${refused} no more`, async () => {
      expectSuccess(await call('GET', path, admitted));
      expectError(await call('GET', path, refused), 403, 'INSUFFICIENT_SCOPE');
      expectError(await call('GET', path), 401, 'AUTH_REQUIRED');
    });
  }

  it('shows nobody what belongs to an organization, even when it is open to anybody', async () => {
    expectError(await call('GET', '/v1/organization'), 403, 'ACCESS_DENIED');
  });

  it('opens no route but its own', async () => {
    expectError(await call('GET', '/v1/websites', 'trackOnly'), 403, 'INSUFFICIENT_SCOPE');
    expectError(await call('DELETE', '/v1/links/lnk_1', 'trackOnly'), 403, 'INSUFFICIENT_SCOPE');
    expectError(await call('GET', '/v1/members', 'trackOnly'), 403, 'ACCESS_DENIED');
  });
});
