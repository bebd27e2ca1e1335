/** The warning of an open path over guarded ones of the same backend. */
import { expect } from 'chai';
import { formatFault } from '../../../gateway/configuration/faults.ts';
import { createGoodConfiguration, type GoodConfiguration } from '../../support/good-configuration.ts';

const ADMIN = 'paths: /shop/admin, access: session, roles: [owner]';

describe('the check of open paths over guarded ones', () => {
  let files: GoodConfiguration;
  beforeEach(() => {
    files = createGoodConfiguration();
    files.edit('gateway.config.yml', '', 'include: shop.yml\n');
  });
  afterEach(() => files.remove());

  /** Warnings of a backend with these endpoints, of which `elsewhere` leads to another one. */
  async function warningsOf(endpoints: Readonly<Record<string, string>>, elsewhere = ''): Promise<string[]> {
    const names = Object.keys(endpoints).filter((name) => name !== elsewhere);
    const pipeline = (backend: string, answered: readonly string[]) =>
      `  ${backend}:\n    apiEndpoints: [${answered.join(', ')}]\n    policies: [auth: , body: , scopes: , rate-limit: , proxy: [{ action: { serviceEndpoint: ${backend} } }]]\n`;
    files.write(
      'shop.yml',
      `apiEndpoints:\n${Object.entries(endpoints)
        .map(([name, rule]) => `  ${name}: { ${rule} }\n`)
        .join('')}serviceEndpoints:\n  shop: { url: "http://shop.test:4000" }\n${
        elsewhere && '  other: { url: "http://other.test:4000" }\n'
      }pipelines:\n${pipeline('shop', names)}${elsewhere && pipeline('other', [elsewhere])}`,
    );
    const { warnings } = await files.load();
    return warnings.map(formatFault).filter((warning) => warning.includes('open to anybody'));
  }

  const told = (line: number, path: string, under: string) =>
    `shop.yml:${line} apiEndpoints.open: ${path} is open to anybody over ${under}, at the same backend "shop": another spelling of such a path, as in capitals, is open if the backend takes it for the same`;

  it('names the guarded paths, and their endpoints', async () => {
    for (const access of ['public', 'optional'])
      expect(await warningsOf({ admin: ADMIN, open: `paths: /shop/*, access: ${access}` })).to.deep.equal([
        told(3, '/shop/*', '/shop/admin of "admin"'),
      ]);
    const many = 'paths: [/a/1, /a/2, "/a/:id/x", /a/b/*, /c], scopes: [read:data]';
    expect(await warningsOf({ many, open: 'paths: [/a/*, /d], access: public' })).to.deep.equal([
      told(3, '/a/*', '/a/1 of "many", /a/2 of "many", /a/:id/x of "many" and 1 more'),
    ]);
  });

  it('says nothing of other paths, methods, hosts and backends, nor where neither or both are guarded', async () => {
    const quiet: Readonly<Record<string, string>>[] = [
      { admin: ADMIN, open: 'paths: [/shop, "/shop/:page", "/shops/*"], access: public' },
      { admin: `${ADMIN}, methods: POST`, open: 'paths: /shop/*, methods: GET, access: public' },
      { admin: `${ADMIN}, host: a.test`, open: 'paths: /shop/*, access: public' },
      { admin: ADMIN, open: 'paths: /shop/*, scopes: [read:data]' },
      { admin: 'paths: /shop/admin, access: optional', open: 'paths: /shop/*, access: public' },
    ];
    for (const endpoints of quiet)
      expect(await warningsOf(endpoints), JSON.stringify(endpoints)).to.deep.equal([]);
    expect(await warningsOf({ admin: ADMIN, open: 'paths: /shop/*, access: public' }, 'admin')).to.deep.equal(
      [],
    );
  });
});
