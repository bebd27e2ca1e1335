/** What sample visitors come with and do: countries, devices, pages, referrers, campaigns and events, with their shares. */
import { byRank, byShare } from './random.ts';

const PLACES = [
  ['US', 'California', 'San Francisco', 'America/Los_Angeles', 'en-US'],
  ['US', 'New York', 'New York', 'America/New_York', 'en-US'],
  ['DE', 'Berlin', 'Berlin', 'Europe/Berlin', 'de-DE'],
  ['GB', 'England', 'London', 'Europe/London', 'en-GB'],
  ['IN', 'Karnataka', 'Bengaluru', 'Asia/Kolkata', 'en-IN'],
  ['FR', 'Île-de-France', 'Paris', 'Europe/Paris', 'fr-FR'],
  ['BR', 'São Paulo', 'São Paulo', 'America/Sao_Paulo', 'pt-BR'],
  ['JP', 'Tokyo', 'Tokyo', 'Asia/Tokyo', 'ja-JP'],
  ['CA', 'Ontario', 'Toronto', 'America/Toronto', 'en-CA'],
  ['NL', 'North Holland', 'Amsterdam', 'Europe/Amsterdam', 'nl-NL'],
  ['ES', 'Madrid', 'Madrid', 'Europe/Madrid', 'es-ES'],
  ['PL', 'Masovia', 'Warsaw', 'Europe/Warsaw', 'pl-PL'],
  ['AU', 'New South Wales', 'Sydney', 'Australia/Sydney', 'en-AU'],
  ['SE', 'Stockholm', 'Stockholm', 'Europe/Stockholm', 'sv-SE'],
  ['IT', 'Lazio', 'Rome', 'Europe/Rome', 'it-IT'],
  ['MX', 'Mexico City', 'Mexico City', 'America/Mexico_City', 'es-MX'],
  ['KR', 'Seoul', 'Seoul', 'Asia/Seoul', 'ko-KR'],
  ['ZA', 'Gauteng', 'Johannesburg', 'Africa/Johannesburg', 'en-ZA'],
  ['SG', 'Singapore', 'Singapore', 'Asia/Singapore', 'en-SG'],
  ['UA', 'Kyiv', 'Kyiv', 'Europe/Kyiv', 'uk-UA'],
].map(([country, region, city, timezone, language]) => ({ country, region, city, timezone, language }));

export const placeOf = byRank(PLACES);

export const deviceOf = byShare(
  (
    [
      ['Chrome', '126.0', 'Windows', '10', 'desktop', '1920x1080', 27],
      ['Chrome', '126.0', 'Android', '14', 'mobile', '412x915', 24],
      ['Safari', '17.5', 'iOS', '17.5', 'mobile', '390x844', 19],
      ['Chrome', '125.0', 'macOS', '14.5', 'desktop', '1728x1117', 9],
      ['Safari', '17.5', 'macOS', '14.5', 'desktop', '1512x982', 6],
      ['Edge', '126.0', 'Windows', '11', 'desktop', '2560x1440', 6],
      ['Firefox', '127.0', 'Windows', '10', 'desktop', '1920x1080', 4],
      ['Firefox', '127.0', 'Linux', '6.8', 'desktop', '1920x1200', 2],
      ['Samsung Internet', '25.0', 'Android', '13', 'mobile', '360x780', 2],
      ['Safari', '17.4', 'iPadOS', '17.4', 'tablet', '820x1180', 1],
    ] as const
  ).map(([browser_name, browser_version, os_name, os_version, device_type, screen_resolution, share]) => [
    { browser_name, browser_version, os_name, os_version, device_type, screen_resolution },
    share,
  ]),
);

/** Null: nobody sent them. */
export const referrerOf = byShare<string | null>([
  [null, 42],
  ['https://www.google.com/', 30],
  ['https://www.bing.com/', 4],
  ['https://duckduckgo.com/', 3],
  ['https://news.ycombinator.com/', 5],
  ['https://www.linkedin.com/', 4],
  ['https://t.co/xyz', 4],
  ['https://www.facebook.com/', 3],
  ['https://www.reddit.com/r/webdev/', 3],
  ['https://github.com/', 2],
]);

export const campaignOf = byRank([
  'utm_source=newsletter&utm_medium=email&utm_campaign=summer',
  'utm_source=google&utm_medium=cpc&utm_campaign=brand',
  'utm_source=linkedin&utm_medium=social&utm_campaign=launch',
  'utm_source=partner&utm_medium=referral&utm_campaign=autumn',
]);

/** Paths with their titles, the frequent ones first. */
export const pageOf = byRank(
  [
    ['/', 'Home'],
    ['/pricing', 'Pricing'],
    ['/docs', 'Documentation'],
    ['/blog', 'Blog'],
    ['/signup', 'Sign up'],
    ['/login', 'Log in'],
    ['/features', 'Features'],
    ['/about', 'About'],
    ['/contact', 'Contact'],
    ...Array.from({ length: 120 }, (_, i) => [`/blog/article-${i + 1}`, `Article ${i + 1}`]),
    ...Array.from({ length: 60 }, (_, i) => [`/docs/chapter-${i + 1}`, `Chapter ${i + 1}`]),
  ].map(([path = '/', title = '']) => ({ path, title })),
);

export const customEventOf = byRank([
  'button_click',
  'signup_started',
  'search',
  'video_played',
  'signup',
  'added_to_cart',
  'purchase',
  'file_downloaded',
  'invite_sent',
  'plan_changed',
]);

export const planOf = byShare([
  ['free', 70],
  ['pro', 22],
  ['scale', 8],
]);

export const errorOf = byRank([
  { message: "Cannot read properties of undefined (reading 'id')", errorType: 'TypeError' },
  { message: 'Failed to fetch', errorType: 'TypeError' },
  { message: 'items is not iterable', errorType: 'TypeError' },
  { message: 'Loading chunk 12 failed', errorType: 'ChunkLoadError' },
  { message: 'Script error.', errorType: 'Error' },
]);

export const linkOf = byRank([
  { href: 'https://github.com/example/project', text: 'Source' },
  { href: 'https://www.youtube.com/watch?v=1', text: 'Watch the talk' },
  { href: 'https://docs.example.org/start', text: 'Read more' },
  { href: 'https://status.example.org/', text: 'Status' },
]);
