/** Detects declared crawlers: a plain HTTP library, a customer's own program and an automated browser are not crawlers. */
import { createIsbotFromList, list } from 'isbot';

/**
 * HTTP libraries and tools, by the product in their user agent. They send a program's own requests; the rest of the text
 * is checked without them, so that a crawler that names its library is still detected.
 */
const HTTP_LIBRARIES = [
  'ahc',
  'aiohttp',
  'akka-http',
  'alamofire',
  'apache cxf',
  'apache-httpasyncclient',
  'apache-httpclient',
  'asynchttpclient',
  'axios',
  'bun',
  'cfnetwork',
  'cpp-httplib',
  'curl',
  'dart',
  'darwin',
  'deno',
  'elixir',
  'excon',
  'faraday',
  'fasthttp',
  'finch',
  'go-http-client',
  'go-resty',
  'got',
  'grequests',
  'grpc-node',
  'gunzip',
  'guzzlehttp',
  'hackney',
  'http_request2',
  'http\\.rb',
  'httpie',
  'httparty',
  'httpoison',
  'httpx',
  'hyper',
  'insomnia',
  'java',
  'java-http-client',
  'jersey',
  'jetty',
  'k6',
  'ktor-client',
  'libcurl',
  'libwww-perl',
  'lua-resty-http',
  'lwp::simple',
  'mechanize',
  'microsoft winrm client',
  'needle',
  'node',
  'node\\.js',
  'node-fetch',
  'node-superagent',
  'okhttp',
  'okhttp3',
  'openssl',
  'perl',
  'php',
  'postmanruntime',
  'powershell',
  'pycurl',
  'python',
  'python-httpx',
  'python-requests',
  'python-urllib',
  'python-urllib3',
  'reactornetty',
  'req',
  'reqwest',
  'rest-client',
  'restsharp',
  'resty',
  'ruby',
  'spring-webclient',
  'superagent',
  'symfony httpclient',
  'typhoeus',
  'undici',
  'unirest-java',
  'unirest-node',
  'ureq',
  'urlfetch',
  'vert\\.x-webclient',
  'wget',
  'windowspowershell',
  'winhttp',
  'xh',
  'zlib',
] as const;

/** A library with its version and the remark that follows it, such as `(+https://…)` or `- https://…`. */
const LIBRARY_PRODUCT = new RegExp(
  `(?<![\\w.-])(?:${HTTP_LIBRARIES.join('|')})(?:/[^\\s;()]*|\\s+v?\\d[^\\s;()]*)?(?![\\w-])(?:\\s*\\((?![^)]*(?:bot|crawl|spider))[^()]*\\)|\\s+-\\s+https?://\\S+)?`,
  'gi',
);

/**
 * Patterns of isbot based only on the shape of the text, a language, library or platform, a contact address, or a missing
 * screen: they also match a shop's own server, whose events would vanish.
 */
export const UNDECLARED: readonly string[] = [
  '(?<!lib)http',
  '@[a-z][\\w-]+\\.',
  '\\.com\\b',
  '(?<! channel/|google/)google(?!(?:wv|app|/google| pixel))',
  '^wordpress',
  'cloudflare',
  'cypress/',
  'feed',
  'url',
  ';\\s\\w+;$',
  '\\(\\)',
  '\\b\\w+/1\\.0;',
  '\\bperl\\b',
  '\\btime/',
  '\\|',
  '^[<\\(;]',
  '^[\\w \\.\\-\\(?:\\):%]+(?:/v?\\d+(?:\\.\\d+)?(?:\\.\\d{1,10})*?)?(?:,|$)',
  '^[\\w\\-]+/[\\w]+$',
  '^[^ ]{50,}$',
  '^\\d+\\b',
  '^\\w+/[\\w\\(\\)]*$',
  '^\\w+/\\d\\.\\d\\s\\([\\w@]+\\)$',
  '^apache/',
  '^client/',
  '^custom',
  '^mozilla/\\d\\.\\d\\s[\\w\\.-]+$',
  '^mozilla/\\d\\.\\d\\s\\((?:compatible;)?(?:\\s?[\\w\\d-.]+[\\s/]\\d+\\.\\d+)?\\)$',
  '^php',
  '^postman',
  '^python',
  '^rest',
  '^track',
  '^wget',
  'headless',
  'java(?!;)',
  'library',
  'node\\b',
  'server',
];

/**
 * What crawlers say of themselves besides: the names that the patterns left out covered, and the form of those that pass
 * as a browser and tell in its remark where to read about them.
 */
const DECLARED: readonly string[] = [
  '^mozilla/(?!.*google-apps-script).*compatible;[^()]*https?://',
  '(?<! channel/|google/|script\\.)google(?!wv|app|-apps-script|/google| pixel)',
  'cloudflare(?!-workers)',
  'embedly',
  'fetcher',
  'pingback',
  'scrapy',
  'slurp',
  '\\bsubscribers?\\b',
];

const isDeclared = createIsbotFromList([
  ...list.filter((pattern) => !UNDECLARED.includes(pattern)),
  ...DECLARED,
]);

/** Whether a user agent declares itself a crawler, a monitor or a preview. */
export function isCrawler(userAgent: string): boolean {
  if (!isDeclared(userAgent)) return false;
  return isDeclared(userAgent.replace(LIBRARY_PRODUCT, ' ').trim());
}
