/** Well-known hosts by the group of traffic that comes from them; every other host is a referral. */

type HostGroup = 'search' | 'social' | 'email';

/** Hosts, subdomains included; the most specific entry counts. Names of Android apps are hosts of `android-app://`. */
const HOSTS: Readonly<Record<HostGroup, readonly string[]>> = {
  search: [
    'aol.com',
    'ask.com',
    'baidu.com',
    'bing.com',
    'coccoc.com',
    'daum.net',
    'dogpile.com',
    'duckduckgo.com',
    'ecosia.org',
    'kagi.com',
    'mojeek.com',
    'naver.com',
    'perplexity.ai',
    'presearch.com',
    'qwant.com',
    'search.brave.com',
    'search.yahoo.com',
    'seznam.cz',
    'so.com',
    'sogou.com',
    'startpage.com',
    'swisscows.com',
    'yahoo.co.jp',
    'yahoo.com',
    'ya.ru',
    'com.google.android.googlequicksearchbox',
  ],
  social: [
    'bsky.app',
    'discord.com',
    'facebook.com',
    'fb.com',
    'fb.me',
    'instagram.com',
    'linkedin.com',
    'lnkd.in',
    'mastodon.social',
    'messenger.com',
    'news.ycombinator.com',
    'ok.ru',
    'pin.it',
    'pinterest.com',
    'quora.com',
    'reddit.com',
    'snapchat.com',
    't.co',
    't.me',
    'telegram.org',
    'threads.com',
    'threads.net',
    'tiktok.com',
    'tumblr.com',
    'twitch.tv',
    'twitter.com',
    'vk.com',
    'wa.me',
    'weibo.com',
    'whatsapp.com',
    'x.com',
    'xing.com',
    'youtu.be',
    'youtube.com',
    'com.facebook.katana',
    'com.instagram.android',
    'com.linkedin.android',
    'com.reddit.frontpage',
    'com.slack',
    'com.twitter.android',
    'org.telegram.messenger',
  ],
  email: [
    'mail.aol.com',
    'mail.google.com',
    'mail.naver.com',
    'mail.proton.me',
    'mail.ru',
    'mail.yahoo.co.jp',
    'mail.yahoo.com',
    'mail.zoho.com',
    'mail.yandex.ru',
    'outlook.live.com',
    'outlook.office.com',
    'outlook.office365.com',
    'app.fastmail.com',
    'com.google.android.gm',
    'com.microsoft.office.outlook',
  ],
};

/** Search engines with a domain per country: `google.de`, `google.co.uk`; their other services are no search. */
const SEARCH_PER_COUNTRY = /^(?:(?:search|m)\.)?(?:google|yandex)\.(?:com?\.)?[a-z]{2,3}$/;

const GROUP_OF_HOST: ReadonlyMap<string, HostGroup> = new Map(
  (Object.keys(HOSTS) as HostGroup[]).flatMap((group) => HOSTS[group].map((host) => [host, group] as const)),
);

/** The group of a host in lower case without leading `www.`. */
export function groupOfHost(host: string): HostGroup | 'referral' {
  if (SEARCH_PER_COUNTRY.test(host)) return 'search';
  for (let rest = host; rest !== ''; rest = rest.slice(rest.indexOf('.') + 1)) {
    const group = GROUP_OF_HOST.get(rest);
    if (group) return group;
    if (!rest.includes('.')) break;
  }
  return 'referral';
}
