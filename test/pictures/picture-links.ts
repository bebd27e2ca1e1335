/** The short links of the pictures, and clicks on them over some weeks: the same each time. */
import type { TestServer } from '../support/start-tidegate.ts';

const DAY_MS = 86_400_000;
const DAYS = 29;

const SHOP = 'https://books.lighthouse.example';
export const LINKS = [
  {
    ...{ id: 'lnk_summer', slug: 'summer', name: 'Summer reading', websiteId: 'web_shop' },
    targetUrl: `${SHOP}/summer?utm_source=poster&utm_medium=print&utm_campaign=summer`,
    ogTitle: 'Forty books for the beach',
    tags: ['poster', 'shop window'],
  },
  {
    ...{ id: 'lnk_club', slug: 'club', name: 'Book club', targetUrl: 'https://club.lighthouse.example/join' },
    ...{ expiresAt: '2026-06-22T22:00:00Z', tags: ['newsletter'] },
  },
  {
    ...{ id: 'lnk_app', slug: 'app', name: 'The app', targetUrl: `${SHOP}/app` },
    iosUrl: 'https://apps.example.com/lighthouse',
    androidUrl: 'https://play.example.com/lighthouse',
  },
  {
    ...{ id: 'lnk_easter', slug: 'easter-2026', name: 'Easter sale', targetUrl: `${SHOP}/easter` },
    ...{ expiresAt: '2026-04-07T22:00:00Z', expiredRedirectUrl: `${SHOP}/` },
  },
  { id: 'lnk_jobs', slug: 'jobs', name: 'Jobs', targetUrl: 'https://jobs.lighthouse.example/' },
] as const;

const AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
];
const COUNTRIES = ['DE', 'FR', 'DE', 'GB', 'AT', 'DE', 'US'];
const REFERRERS = ['', 'https://www.instagram.com/', '', 'https://news.example.org/books', ''];

/** Follows the links day by day until `end`; `goTo` sets the clock of the server. */
export async function followLinks(
  server: Pick<TestServer, 'call'>,
  end: number,
  goTo: (now: number) => void,
): Promise<void> {
  let clicks = 0;
  const follow = (slug: string) => {
    const [agent = '', country = '', referrer = ''] = [AGENTS, COUNTRIES, REFERRERS].map(
      (each) => each[clicks % each.length],
    );
    clicks++;
    const headers = { 'user-agent': agent, 'cf-ipcountry': country, ...(referrer && { referer: referrer }) };
    return server.call('GET', `/${slug}`, { headers });
  };
  for (let day = DAYS; day >= 0; day--) {
    goTo(end - day * DAY_MS);
    for (const [rank, { slug }] of LINKS.entries()) {
      // Busy at the end of a week, quieter from link to link.
      const today = Math.round((4 + (day % 7) + (DAYS - day) / 6) / (rank + 1));
      for (let click = 0; click < today; click++) await follow(slug);
    }
  }
}
