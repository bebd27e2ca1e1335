/** Well-known hosts by the group of traffic that comes from them; every other host is a referral. */

type HostGroup = 'search' | 'social' | 'email';

/** Hosts, subdomains included; the most specific entry wins. Names of Android apps are hosts of `android-app://`. */
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
    'gibiru.com',
    'kagi.com',
    'metager.de',
    'metager.org',
    'mojeek.com',
    'naver.com',
    'perplexity.ai',
    'petalsearch.com',
    'presearch.com',
    'qwant.com',
    'rambler.ru',
    'search.brave.com',
    'search.yahoo.com',
    'seznam.cz',
    'so.com',
    'sogou.com',
    'startpage.com',
    'swisscows.com',
    'ya.ru',
    'yahoo.co.jp',
    'yahoo.com',
    'yep.com',
    'you.com',
    'com.duckduckgo.mobile.android',
    'com.google.android.googlequicksearchbox',
    'com.microsoft.bing',
  ],
  social: [
    'bsky.app',
    'discord.com',
    'discordapp.com',
    'douyin.com',
    'facebook.com',
    'fb.com',
    'fb.me',
    'flipboard.com',
    'fosstodon.org',
    'instagram.com',
    'line.me',
    'linkedin.com',
    'lnkd.in',
    'lobste.rs',
    'mastodon.online',
    'mastodon.social',
    'messenger.com',
    'mstdn.social',
    'news.ycombinator.com',
    'ok.ru',
    'pin.it',
    'pinterest.com',
    'producthunt.com',
    'quora.com',
    'reddit.com',
    'slack.com',
    'snapchat.com',
    't.co',
    't.me',
    'telegram.org',
    'threads.com',
    'threads.net',
    'tiktok.com',
    'truthsocial.com',
    'tumblr.com',
    'twitch.tv',
    'twitter.com',
    'viber.com',
    'vimeo.com',
    'vk.com',
    'wa.me',
    'weibo.com',
    'whatsapp.com',
    'workplace.com',
    'x.com',
    'xing.com',
    'youtu.be',
    'youtube.com',
    'zhihu.com',
    'com.facebook.katana',
    'com.facebook.orca',
    'com.google.android.youtube',
    'com.instagram.android',
    'com.linkedin.android',
    'com.pinterest',
    'com.reddit.frontpage',
    'com.slack',
    'com.twitter.android',
    'com.whatsapp',
    'com.zhiliaoapp.musically',
    'org.telegram.messenger',
  ],
  email: [
    'app.fastmail.com',
    'gmx.com',
    'gmx.de',
    'gmx.net',
    'hey.com',
    'mail.163.com',
    'mail.aol.com',
    'mail.google.com',
    'mail.naver.com',
    'mail.proton.me',
    'mail.ru',
    'mail.yahoo.co.jp',
    'mail.yahoo.com',
    'mail.yandex.com',
    'mail.yandex.ru',
    'mail.zoho.com',
    'mail.zoho.eu',
    'navigator.web.de',
    'outlook.cloud.microsoft',
    'outlook.live.com',
    'outlook.office.com',
    'outlook.office365.com',
    'webmail.free.fr',
    'webmail.t-online.de',
    'com.google.android.gm',
    'com.microsoft.office.outlook',
    'com.yahoo.mobile.client.android.mail',
  ],
};

/** Search engines with a domain per country: `google.de`, `google.co.uk`; their other services are not search. */
const SEARCH_PER_COUNTRY = /^(?:(?:search|images|m)\.)?(?:google|yandex)\.(?:com?\.)?[a-z]{2,3}$/;

const GROUP_OF_HOST: ReadonlyMap<string, HostGroup> = new Map(
  (Object.keys(HOSTS) as HostGroup[]).flatMap((group) => HOSTS[group].map((host) => [host, group] as const)),
);

/** Most labels of a listed host; labels before them do not matter. */
const MOST_LABELS = Math.max(...[...GROUP_OF_HOST.keys()].map((host) => host.split('.').length));

/** The group of a host in lower case without leading `www.`. */
export function groupOfHost(host: string): HostGroup | 'referral' {
  if (SEARCH_PER_COUNTRY.test(host)) return 'search';
  let group: HostGroup | undefined;
  let start = host.length;
  for (let labels = 0; labels < MOST_LABELS && start > 0; labels++) {
    const dot = start > 1 ? host.lastIndexOf('.', start - 2) : -1;
    start = dot + 1;
    group = GROUP_OF_HOST.get(host.slice(start)) ?? group;
  }
  return group ?? 'referral';
}
