/** Who is a declared crawler, and who is not: HTTP libraries, programs of customers, browsers. */
import { expect } from 'chai';
import { list } from 'isbot';
import { isCrawler, UNDECLARED } from '../../../services/tracking/client/is-crawler.ts';

const CRAWLERS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/124.0.6367.91 Safari/537.36',
  'Googlebot-Image/1.0',
  'Mediapartners-Google',
  'AdsBot-Google (+http://www.google.com/adsbot.html)',
  'FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
  'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)',
  'Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
  'Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)',
  'Mozilla/5.0 (compatible; SeznamBot/4.0; +http://napoveda.seznam.cz/seznambot-intro/)',
  'Mozilla/5.0 (compatible; PetalBot;+https://webmaster.petalsearch.com/site/petalbot)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  'Twitterbot/1.0',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'TelegramBot (like TwitterBot)',
  'WhatsApp/2.23.20.0',
  'Pinterestbot/1.0 (+http://www.pinterest.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
  'CCBot/2.0 (https://commoncrawl.org/faq/)',
  'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_1) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)',
  'Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)',
  'Mozilla/5.0 (compatible; DotBot/1.2; +https://opensiteexplorer.org/dotbot)',
  'Mozilla/5.0 (compatible; BLEXBot/1.0; +http://webmeup-crawler.com/)',
  'Screaming Frog SEO Spider/19.8',
  'Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  'Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)',
  'Mozilla/5.0 (compatible; StatusCake)',
  'Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Mobile Safari/537.36 Chrome-Lighthouse',
  'ia_archiver (+http://www.alexa.com/site/help/webmasters; crawler@alexa.com)',
  'Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)',
  'Feedly/1.0 (+http://www.feedly.com/fetcher.html; 12 subscribers)',
  'Scrapy/2.11.0 (+https://scrapy.org)',
  'python-requests/2.31.0 (compatible; ExampleBot/1.0; +https://example.com/bot)',
  'ExampleCrawler/2.1 okhttp/4.9.3',
  'Apache-HttpClient/4.5.13 (Java/11.0.20) price-crawler',
];

const HTTP_LIBRARIES = [
  '',
  'curl/8.4.0',
  'curl/7.81.0 (x86_64-pc-linux-gnu) libcurl/7.81.0 OpenSSL/3.0.2 zlib/1.2.11',
  'Wget/1.21.2',
  'Wget/1.20.3 (linux-gnu)',
  'python-requests/2.31.0',
  'Python-urllib/3.11',
  'python-urllib3/2.2.1',
  'python-httpx/0.27.0',
  'Python/3.11 aiohttp/3.9.3',
  'axios/1.6.8',
  'node',
  'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
  'node-fetch',
  'undici',
  'got (https://github.com/sindresorhus/got)',
  'got/9.6.0 (https://github.com/sindresorhus/got)',
  'node-superagent/8.1.2',
  'Deno/1.42.1',
  'Bun/1.1.0',
  'Go-http-client/1.1',
  'Go-http-client/2.0',
  'go-resty/2.12.0 (https://github.com/go-resty/resty)',
  'okhttp/4.12.0',
  'okhttp/3.14.9',
  'Java/1.8.0_392',
  'Java/17.0.9',
  'Java-http-client/21.0.2',
  'Apache-HttpClient/4.5.13 (Java/11.0.20)',
  'Apache-HttpAsyncClient/5.2 (Java/17)',
  'Jersey/2.35 (HttpUrlConnection 11.0.20)',
  'ReactorNetty/1.1.17',
  'ktor-client',
  'PostmanRuntime/7.37.3',
  'insomnia/8.6.1',
  'HTTPie/3.2.2',
  'xh/0.22.0',
  'GuzzleHttp/7',
  'Symfony HttpClient/Curl',
  'PHP/8.2.1',
  'Ruby',
  'Faraday v2.9.0',
  'rest-client/2.1.0 (linux x86_64) ruby/3.2.2p53',
  'http.rb/5.2.0',
  'Typhoeus - https://github.com/typhoeus/typhoeus',
  'libwww-perl/6.77',
  'RestSharp/110.2.0.0',
  'Dart/3.3 (dart:io)',
  'reqwest/0.12.4',
  'hyper/1.2.0',
  'ureq/2.9.6',
  'hackney/1.20.1',
  'k6/0.50.0 (https://k6.io/)',
  'lua-resty-http/0.17.2 (Lua) ngx_lua/10026',
  'unirest-java/3.1.00',
  'fasthttp',
  'Shop/412 CFNetwork/1494.0.7 Darwin/23.4.0',
  'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.22621.2506',
  'Dalvik/2.1.0 (Linux; U; Android 13; Pixel 7 Build/TQ3A.230805.001)',
];

/** Programs of customers, and browsers, driven ones included. */
const OTHERS = [
  'shop-server/1.2',
  'acme-backend/2024.4 (production)',
  'rest-api/2.0',
  'client/1.0',
  'tracker-service/3.1.4',
  'MyApp/1.0',
  'Mozilla/5.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/124.0.6367.29 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0',
  'Mozilla/5.0 (Linux; Android 10; CUBOT_X18) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/460.0.0.31.103]',
];

describe('A crawler', () => {
  for (const userAgent of CRAWLERS) {
    it(`is ${userAgent}`, () => expect(isCrawler(userAgent)).to.equal(true));
  }
  for (const userAgent of [...HTTP_LIBRARIES, ...OTHERS]) {
    it(`is not ${userAgent === '' ? 'a client without user agent' : userAgent}`, () => {
      expect(isCrawler(userAgent)).to.equal(false);
    });
  }

  it('is not told by patterns that the library no longer has: what is left out is still there', () => {
    expect(UNDECLARED.filter((pattern) => !list.includes(pattern))).to.deep.equal([]);
  });
});
