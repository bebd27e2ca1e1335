/** The form of a link as what is sent: all that the API takes, only what was filled in, only what differs. */
import { expect } from 'chai';
import {
  changesOf,
  type Draft,
  draftOf,
  inputOf,
  NOTHING,
} from '../../../../../../services/dashboard/client/screens/links/draft.ts';
import { linkChangesSchema, linkInputSchema } from '../../../../../../services/resources/links/schema.ts';

const ZONE = 'Europe/Berlin';
const LINK = {
  ...{ id: 'lnk_1', organizationId: 'org_main', websiteId: 'web_shop', slug: 'sale', name: 'Sale' },
  targetUrl: 'https://shop.example.com/sale?utm_source=poster',
  expiresAt: '2026-09-01T21:59:59.000Z',
  expiredRedirectUrl: null,
  iosUrl: 'https://apps.example.com/',
  androidUrl: null,
  ogTitle: null,
  ogDescription: 'Of all',
  ogImageUrl: null,
  tags: ['poster', 'summer'],
  ...{ createdBy: 'usr_1', createdAt: '2026-06-15T09:30:00.000Z', updatedAt: '2026-06-15T09:30:00.000Z' },
};
const edited = (edits: Partial<Draft>) => changesOf(LINK, { ...draftOf(LINK, ZONE), ...edits }, ZONE);

describe('the form of a link', () => {
  it('has a field for everything that the API lets one set', () => {
    expect(Object.keys(NOTHING)).to.have.members(Object.keys(linkInputSchema.shape));
  });

  it('shows a link as it is, the time by the clocks of the organization', () => {
    const draft = draftOf(LINK, ZONE);
    expect(draft).to.include({ slug: 'sale', expiresAt: '2026-09-01T23:59', tags: 'poster\nsummer' });
    expect(draft).to.include({ websiteId: 'web_shop', androidUrl: '', ogDescription: 'Of all' });
  });

  it('sends of a new link what was filled in, trimmed, in a body that the API takes', () => {
    const typed = { name: ' Sale ', targetUrl: ' https://shop.example.com/ ', tags: 'a\n\n b \n' };
    const body = inputOf({ ...NOTHING, ...typed, expiresAt: '2027-03-28T12:00' }, ZONE);
    expect(body).to.deep.equal({
      name: 'Sale',
      targetUrl: 'https://shop.example.com/',
      expiresAt: '2027-03-28T10:00:00.000Z',
      tags: ['a', 'b'],
    });
    expect(linkInputSchema.safeParse(body).success).to.equal(true);
  });

  it('sends what is needed and missing too, so that the API says so of each field', () => {
    expect(inputOf(NOTHING, ZONE)).to.deep.equal({ name: '', targetUrl: '' });
  });

  it('sends of a change what differs, null for what was emptied', () => {
    const body = edited({ websiteId: '', expiresAt: '', iosUrl: ' ', tags: '', name: 'Sales' });
    expect(body).to.deep.equal({ websiteId: null, expiresAt: null, iosUrl: null, tags: [], name: 'Sales' });
    expect(linkChangesSchema.safeParse(body).success).to.equal(true);
    expect(edited({ slug: '' })).to.deep.equal({ slug: '' });
  });

  it('sends nothing when nothing differs, not even the seconds that the field of a time cannot show', () => {
    expect(edited({})).to.equal(null);
    expect(edited({ name: ' Sale', tags: 'poster\n\nsummer\n' })).to.equal(null);
  });

  it('leaves a time that is none to the API', () => {
    expect(edited({ expiresAt: 'soon' })).to.deep.equal({ expiresAt: 'soon' });
  });
});
