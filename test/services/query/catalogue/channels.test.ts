/** The table of channels: pageviews and the channel that each is of, worked out by hand. */
import { expect } from 'chai';
import { CHANNEL_RULES } from '../../../../services/query/catalogue/channels.ts';
import { type EventFields, eventRecord } from '../../../support/query/event.ts';
import { GOLDEN_NOW } from '../../../support/query/golden-log.ts';
import {
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../../support/query/start-query-service.ts';

type Touch = Omit<EventFields, 'at'>;

const tagged = (utm_source: string, utm_medium: string | null = null): Touch => ({
  utm_source,
  utm_medium,
  referrer_group: 'campaign',
});
const from = (referrer_host: string, referrer_group: string): Touch => ({ referrer_host, referrer_group });

/** The channel, and what a first pageview says. */
const TOUCHES: readonly (readonly [channel: string, touch: Touch])[] = [
  ['affiliate', tagged('partner', 'affiliate')],
  ['paid_search', tagged('google', 'cpc')],
  ['paid_search', tagged('Google_Ads', 'PPC')],
  ['paid_search', { ...from('google.com', 'search'), utm_medium: 'cpc' }],
  ['paid_search', tagged('agency', 'paid-search')],
  ['paid_search', { ...from('google.com', 'search'), query_string: 'a=1&gclid=abc' }],
  ['paid_search', { referrer_group: 'direct', query_string: 'msclkid=abc' }],
  ['paid_social', tagged('fb', 'paid')],
  ['paid_social', tagged('linkedin.com', 'cpa')],
  ['paid_social', { ...from('t.co', 'social'), utm_medium: 'ads' }],
  ['paid_social', tagged('agency', 'paid_social')],
  ['display', tagged('network', 'banner')],
  ['display', { ...tagged('google', 'display'), query_string: 'gclid=abc' }],
  ['paid_other', tagged('agency', 'cpc')],
  ['ai', tagged('chatgpt.com')],
  ['ai', from('chatgpt.com', 'referral')],
  ['ai', from('www.perplexity.ai', 'search')],
  ['ai', from('gemini.google.com', 'referral')],
  ['email', tagged('newsletter')],
  ['email', tagged('spring', 'email')],
  ['email', tagged('spring', 'E-Mail')],
  ['email', from('mail.google.com', 'email')],
  ['social', tagged('x')],
  ['social', tagged('mastodon.social')],
  ['social', tagged('spring', 'social')],
  ['social', from('reddit.com', 'social')],
  ['search', tagged('google')],
  ['search', tagged('maps', 'organic')],
  ['search', from('duckduckgo.com', 'search')],
  // No value: the mark of a click alone says nothing.
  ['search', { ...from('google.com', 'search'), query_string: 'gclid=' }],
  ['referral', tagged('friend', 'referral')],
  ['referral', from('blog.example', 'referral')],
  // Names that only begin like known ones.
  ['referral', from('notchatgpt.com', 'referral')],
  ['campaign', tagged('xylophone')],
  ['campaign', tagged('spring', 'poster')],
  ['campaign', tagged('googly')],
  // Without a utm_source, a medium that is not known is no campaign.
  ['direct', { referrer_group: 'direct', utm_medium: 'poster' }],
  ['direct', { referrer_group: 'direct' }],
  // Stored before there were groups.
  ['direct', { referrer_host: 'google.com', referrer_group: null }],
];

describe('channels', () => {
  let service: StartedQueryService;
  before(async () => {
    const log = TOUCHES.map(([, touch], index) =>
      eventRecord({ at: '2025-01-15T10:00:00Z', session_id: `s${index}`, path: '/', ...touch }),
    );
    service = await startQueryService({ log, now: GOLDEN_NOW });
  });
  after(() => service.close());

  it('each session is of the channel of the first rule that it meets', async () => {
    const body = TOUCHES.map((_, index) => ({
      parameters: ['session_channels'],
      startDate: '2025-01-15',
      endDate: '2025-01-15',
      filters: [{ field: 'session_id', op: 'eq', value: `s${index}` }],
    }));
    const answer = await service.query(body);
    const results = answer.body.results as { data: { data: { name: string }[] }[] }[];
    const found = results.map(({ data }) => data[0]?.data.map(({ name }) => name));
    expect(found).to.deep.equal(TOUCHES.map(([channel]) => [channel]));
  });

  it('every channel has an example here', () => {
    const channels = new Set(CHANNEL_RULES.map(({ text }) => text));
    expect(new Set(TOUCHES.map(([channel]) => channel))).to.deep.equal(channels);
  });

  it('filters by each channel keep the sessions that its row counts', async () => {
    const dates = { startDate: '2025-01-15', endDate: '2025-01-15' };
    const rows = rowsOf(await service.query({ parameters: ['session_channels'], ...dates }));
    for (const row of rows) {
      const filters = [{ field: 'channel', op: 'eq', value: row.name }];
      const [kept, ...others] = rowsOf(
        await service.query({ parameters: ['session_channels'], ...dates, filters }),
      );
      expect(kept).to.deep.equal({ ...row, percentage: 100 });
      expect(others).to.deep.equal([]);
    }
  });
});
