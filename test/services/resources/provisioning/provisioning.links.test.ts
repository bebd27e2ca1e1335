/** Short links in the provisioning file: written by the rules of the API, and no slug of another organization taken. */
import { expect } from 'chai';
import { ProvisioningError } from '../../../../services/resources/provisioning/provisioning-fault.ts';
import { createProvisionedStore, fileText } from '../../../support/provisioned-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

/** The file with these lines under `links` of org_one. */
function withLinks(...links: string[]): string {
  return fileText({ extra: `    links:\n${links.map((link) => `      - {${link}}`).join('\n')}\n` });
}

const SALE = 'id: lnk_sale, slug: sale, name: Sale, targetUrl: "HTTPS://shop.example.com"';

describe('links of the provisioning file', () => {
  const store = () => createProvisionedStore(createTestClock());

  async function faultsOf(text: string): Promise<string[]> {
    try {
      await store().apply(text);
      return [];
    } catch (error) {
      if (!(error instanceof ProvisioningError)) throw error;
      return error.faults.map(({ path, message }) => `${path}: ${message}`);
    }
  }

  it('are written as the API would, changed when their entry is edited, and left alone otherwise', async () => {
    const { apply, documents } = store();
    const first = withLinks(`${SALE}, websiteId: web_shop, tags: [a], expiresAt: "2030-01-01T00:00:00Z"`);
    expect((await apply(first)).applied).to.include('link/org_one/lnk_sale');
    const stored = await documents.links.findUnique('slug', ['sale']);
    expect(stored).to.deep.include({
      organizationId: 'org_one',
      websiteId: 'web_shop',
      targetUrl: 'https://shop.example.com/',
      expiresAt: '2030-01-01T00:00:00.000Z',
      tags: ['a'],
      iosUrl: null,
      createdBy: 'provisioning',
    });
    await documents.links.update('org_one', 'lnk_sale', 1, { name: 'By the API' });
    expect((await apply(first)).unchanged).to.include('link/org_one/lnk_sale');
    expect((await documents.links.get('org_one', 'lnk_sale'))?.name).to.equal('By the API');
    await apply(withLinks(SALE.replace('slug: sale', 'slug: late-sale')));
    expect(await documents.links.get('org_one', 'lnk_sale')).to.deep.include({
      slug: 'late-sale',
      name: 'Sale',
      websiteId: null,
      tags: [],
    });
    const { warnings } = await apply(fileText());
    expect(warnings).to.deep.equal([
      'the link lnk_sale of org_one is no longer in the file; it stays, remove it through the API',
    ]);
  });

  it('are refused with every fault at once, and nothing is written', async () => {
    expect(
      await faultsOf(
        withLinks(
          'id: lnk_1, slug: TRACK, name: x, targetUrl: "https://example.com/"',
          'id: lnk_2, slug: two, name: x, targetUrl: "javascript:alert(1)", iosUrl: "//host"',
          'id: lnk_2, slug: two, name: x, targetUrl: "https://example.com/", websiteId: web_shap',
        ),
      ),
    ).to.have.members([
      'organizations[0].links[0].slug: came "TRACK"; allowed: 3 to 50 of A-Z a-z 0-9 _ -, and no reserved word',
      'organizations[0].links[1].targetUrl: came "javascript:alert(1)"; allowed: an absolute http or https URL of at most 2048 characters, without credentials, white space, backslashes and control characters',
      'organizations[0].links[1].iosUrl: came "//host"; allowed: an absolute http or https URL of at most 2048 characters, without credentials, white space, backslashes and control characters',
      'organizations[0].links[2].id: is already used by organizations[0].links[1].id; allowed: one use',
      'organizations[0].links[2].slug: is already used by organizations[0].links[1].slug; allowed: one use',
      'organizations[0].links[2].websiteId: came an unknown website; allowed: websites of the organization: web_shop',
    ]);
  });

  it('take no slug and no identifier that another link has', async () => {
    const { apply, documents } = store();
    await apply(withLinks(SALE));
    const other = `
organizations:
  - id: org_two
    name: Two
    plan: free
    links:
      - {id: lnk_sale, slug: other, name: x, targetUrl: "https://example.com/"}
      - {id: lnk_two, slug: sale, name: x, targetUrl: "https://example.com/"}
`;
    try {
      await apply(other);
      expect.fail('the file was applied');
    } catch (error) {
      if (!(error instanceof ProvisioningError)) throw error;
      expect(error.faults.map(({ message }) => message)).to.deep.equal([
        'came "lnk_sale", which belongs to another organization; allowed: an identifier of its own',
        'came "sale", which another link has; allowed: a slug of its own',
      ]);
    }
    expect(await documents.organizations.get('org_two', 'org_two')).to.equal(null);
  });
});
