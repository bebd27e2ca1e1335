/** The channels of sessions: an ordered table, in which the first rule that a session's first pageview meets decides. */
import type { TextRule, TextTest } from './text.ts';

const source = (named: readonly string[]): TextTest => ({ column: 'utm_source', named });
const medium = (...is: readonly string[]): TextTest => ({ column: 'utm_medium', is });
/** The group of the referrer, as ingest found it; `campaign`: there is a utm_source. */
const group = (...is: readonly string[]): TextTest => ({ column: 'referrer_group', is });

const words = (text: string) => text.split(' ');
const SEARCH_ENGINES = words(
  'google googleads adwords bing bingads yahoo duckduckgo ddg ecosia qwant startpage brave kagi baidu naver yandex seznam sogou mojeek',
);
const SOCIAL_NETWORKS = [
  ...words(
    'facebook fb meta instagram ig threads messenger whatsapp twitter x linkedin reddit pinterest tiktok',
  ),
  ...words(
    'youtube yt snapchat mastodon bluesky bsky telegram discord hackernews hn producthunt quora vk weibo',
  ),
  ...words('xing tumblr twitch'),
];
const ASSISTANTS = words(
  'chatgpt openai claude gemini perplexity copilot deepseek grok mistral lechat phind poe',
);
const ASSISTANT_HOSTS = [
  ...words('chatgpt.com chat.openai.com claude.ai gemini.google.com perplexity.ai copilot.microsoft.com'),
  ...words('deepseek.com grok.com chat.mistral.ai meta.ai you.com poe.com phind.com kimi.com duck.ai'),
];
/** One of these hosts, or a subdomain. */
const ON_ASSISTANT = `(?:^|\\.)(?:${ASSISTANT_HOSTS.join('|').replaceAll('.', '\\.')})$`;
const MAILINGS = words('email mail newsletter newsletters mailing mailchimp klaviyo brevo substack');
const MAIL_MEDIA = ['e-mail', 'e_mail', 'e mail'];

/** Media that are paid for, besides those that begin with `paid`. */
const PAID = medium(...words('cpc cpa cpm cpv cpe ppc ppv ad ads retargeting remarketing'));
const PAID_SO_NAMED: TextTest = { column: 'utm_medium', startsWith: 'paid' };
/** Identifiers that Google Ads and Microsoft Advertising add to the address of a click. */
const AD_CLICK = '(?:^|[?&])(?:gclid|gbraid|wbraid|msclkid)=[^&]';

/** Names of the channels, as rows show them. */
export type Channel =
  | 'affiliate'
  | 'paid_search'
  | 'paid_social'
  | 'display'
  | 'paid_other'
  | 'ai'
  | 'email'
  | 'social'
  | 'search'
  | 'referral'
  | 'campaign'
  | 'direct';

interface ChannelRule extends TextRule {
  readonly text: Channel;
}

const rule = (text: Channel, ...when: readonly TextTest[]): ChannelRule => ({ text, when });
/** A rule for each of the two ways to say that a medium is paid. */
const paid = (text: Channel, ...when: readonly TextTest[]): readonly ChannelRule[] => [
  rule(text, PAID, ...when),
  rule(text, PAID_SO_NAMED, ...when),
];

/** In order. Own pages are no referrers: ingest gives such a pageview no host, and the group `direct`. */
export const CHANNEL_RULES: readonly ChannelRule[] = [
  /** Partners who are paid per sale say so in the medium. */
  rule('affiliate', medium('affiliate', 'affiliates')),
  /** Media that name paid search themselves. */
  rule('paid_search', medium('sem', 'paid-search', 'paid_search', 'paidsearch', 'paid search')),
  /** A paid medium beside the name of a search engine. */
  ...paid('paid_search', source(SEARCH_ENGINES)),
  /** A paid medium without a source, from a search engine. */
  ...paid('paid_search', group('search')),
  /** Media that name paid posts themselves. */
  rule(
    'paid_social',
    medium('paid-social', 'paid_social', 'paidsocial', 'paid social', 'social-paid', 'social_paid'),
  ),
  /** A paid medium beside the name of a social network. */
  ...paid('paid_social', source(SOCIAL_NETWORKS)),
  /** A paid medium without a source, from a social network. */
  ...paid('paid_social', group('social')),
  /** Pictures and films on other pages, also those that are paid per thousand views. */
  rule('display', medium(...words('display banner cpm interstitial expandable programmatic'))),
  /** Any other paid medium. */
  ...paid('paid_other'),
  /** An advertisement of a search engine that is marked by its click alone. */
  rule('paid_search', { column: 'query_string', matches: AD_CLICK }),
  /** Assistants that add their own utm_source to links. */
  rule('ai', source(ASSISTANTS)),
  /** Mails and newsletters, by medium. */
  rule('email', medium(...MAILINGS, ...MAIL_MEDIA)),
  /** Mails and newsletters, by source. */
  rule('email', source(MAILINGS)),
  /** The same where a source of mails has more than one word. */
  rule('email', { column: 'utm_source', is: MAIL_MEDIA }),
  /** Posts, by medium. */
  rule(
    'social',
    medium('sm', 'social', 'social-media', 'social_media', 'socialmedia', 'social-network', 'social media'),
  ),
  /** Posts, by the name of the network. */
  rule('social', source(SOCIAL_NETWORKS)),
  /** The host of a network that is short for its name. */
  rule('social', { column: 'utm_source', is: ['t.co', 't.me'] }),
  /** Entries that were not paid for, such as those of maps, by medium. */
  rule('search', medium('organic')),
  /** The same by the name of the search engine. */
  rule('search', source(SEARCH_ENGINES)),
  /** Links that are marked as such. */
  rule('referral', medium('referral', 'link')),
  /** Every other utm_source. */
  rule('campaign', group('campaign')),
  /** Without a utm_source: pages of assistants. Some of them are also in the group search. */
  rule('ai', group('search', 'referral'), { column: 'referrer_host', matches: ON_ASSISTANT }),
  /** Without a utm_source: what the host of the referrer is known for. */
  rule('search', group('search')),
  rule('social', group('social')),
  rule('email', group('email')),
  rule('referral', group('referral')),
  /** Neither a mark nor a referrer from elsewhere. */
  rule('direct'),
];
