/** The change that a form sends: only what differs, defaults as null, and what is no number as it was typed. */
import { expect } from 'chai';
import type { WebsiteView } from '../../../../../../services/dashboard/client/api/wire.ts';
import {
  changesOf,
  type Draft,
  draftOf,
} from '../../../../../../services/dashboard/client/screens/website-settings/draft.ts';
import { websiteChangesSchema } from '../../../../../../services/resources/websites/schema.ts';

const website = (settings: WebsiteView['settings'] = {}): WebsiteView => ({
  id: 'web_1',
  name: 'Shop',
  domain: 'shop.example.com',
  isPublic: false,
  settings,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
});
const change = (before: WebsiteView, edits: Partial<Draft>) =>
  changesOf(before, { ...draftOf(before), ...edits });

describe('the draft of a website', () => {
  it('shows the defaults of settings that nobody chose', () => {
    expect(draftOf(website())).to.deep.equal({
      name: 'Shop',
      domain: 'shop.example.com',
      isPublic: false,
      allowedOrigins: '',
      keylessTracking: true,
      honorPrivacySignals: false,
      pageviewAliases: true,
      keylessMegabytes: '',
      timezone: '',
    });
  });

  it('sends nothing when nothing differs, blank lines of a list included', () => {
    const before = website({ allowedOrigins: ['https://a.example.com'], timezone: 'Europe/Berlin' });
    expect(changesOf(before, draftOf(before))).to.equal(null);
    expect(change(before, { allowedOrigins: '\n https://a.example.com \n\n' })).to.equal(null);
  });

  const cases: [string, WebsiteView['settings'], Partial<Draft>, unknown][] = [
    ['a name', {}, { name: 'Store' }, { name: 'Store' }],
    [
      'a domain and a tick',
      {},
      { domain: 'x.example', isPublic: true },
      { domain: 'x.example', isPublic: true },
    ],
    [
      'a list',
      {},
      { allowedOrigins: 'https://a.example.com\nhttp://localhost:3000' },
      { settings: { allowedOrigins: ['https://a.example.com', 'http://localhost:3000'] } },
    ],
    [
      'an emptied list',
      { allowedOrigins: ['https://a.example.com'] },
      { allowedOrigins: ' \n' },
      { settings: { allowedOrigins: null } },
    ],
    ['a tick off its default', {}, { keylessTracking: false }, { settings: { keylessTracking: false } }],
    [
      'a tick back to its default',
      { honorPrivacySignals: true },
      { honorPrivacySignals: false },
      { settings: { honorPrivacySignals: null } },
    ],
    ['an emptied text', { timezone: 'UTC' }, { timezone: '' }, { settings: { timezone: null } }],
    [
      'a number of megabytes',
      {},
      { keylessMegabytes: ' 500 ' },
      { settings: { keylessBytesPerDay: 500_000_000 } },
    ],
    ['decimals', {}, { keylessMegabytes: '0.005' }, { settings: { keylessBytesPerDay: 5000 } }],
    [
      'decimals after a comma',
      {},
      { keylessMegabytes: '1,1' },
      { settings: { keylessBytesPerDay: 1_100_000 } },
    ],
  ];
  for (const [name, settings, edits, expected] of cases) {
    it(`sends ${name} alone, in the form that the API takes`, () => {
      const changes = change(website(settings), edits);
      expect(changes).to.deep.equal(expected);
      expect(websiteChangesSchema.safeParse(changes).success).to.equal(true);
    });
  }

  for (const bytes of [1, 5000, 1_100_001, 1_000_000_000, 999_999_999_999, 1_000_000_000_000]) {
    it(`shows a limit of bytes as megabytes, which are the same bytes again: ${bytes}`, () => {
      const { keylessMegabytes } = draftOf(website({ keylessBytesPerDay: bytes }));
      expect(keylessMegabytes).to.match(/^\d+(\.\d+)?$/);
      expect(change(website(), { keylessMegabytes })).to.deep.equal({
        settings: { keylessBytesPerDay: bytes },
      });
    });
  }

  it('sends what is no number as it is, so that the API says what is allowed', () => {
    expect(change(website(), { keylessMegabytes: '1.5 GB' })).to.deep.equal({
      settings: { keylessBytesPerDay: '1.5 GB' },
    });
  });
});
