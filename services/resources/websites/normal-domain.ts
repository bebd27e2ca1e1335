/** Normalizes domains from whatever people paste: a host, a host with a port, or the address of a page. */
import { parseUrl } from '../../shared/text/parse-url.ts';

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const MAX_DOMAIN_LENGTH = 253;
const WITH_SCHEME = /^https?:\/\//i;
/** `mailto:`, `ftp://` or `https:/`: a name with a colon that no port follows. */
const OTHER_SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d)/i;
/** Characters that URL parsers drop or read as a slash, so that the result would be another host than people see. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const MISLEADING = /[\u0000-\u001f\u007f\\]/;
const IPV4 = /^\d+(?:\.\d+){3}$/;
const IPV6 = /^\[[0-9a-f:.]+\]$/;

/**
 * The lower-case host (IDN as punycode) without scheme, port, path, leading `www.` and trailing dot. Null when `text`
 * does not plainly name a host: it has another scheme than http, a user, or a number that only software reads as an
 * address. `www.` stays where no dot would be left, since `www.com` does not mean `com`. A domain in this form is its
 * own normal form.
 */
export function normalDomain(text: string): string | null {
  const trimmed = text.trim();
  if (MISLEADING.test(trimmed)) return null;
  const parsed = parseUrl(withScheme(trimmed) ?? '');
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return null;
  const host = withoutWww(parsed.hostname.replace(/\.$/, ''));
  if (IPV6.test(host)) return host;
  // The parser turns 7 into 0.0.0.7 and 0x7f.1 into 127.0.0.1; nobody who pastes those means that.
  if (IPV4.test(host)) return trimmed.includes(host) ? host : null;
  return isDomain(host) ? host : null;
}

/** Null for what begins like something other than a host. */
function withScheme(text: string): string | null {
  if (WITH_SCHEME.test(text)) return text;
  if (/^\/\/[^/]/.test(text)) return `http:${text}`;
  return text.startsWith('/') || OTHER_SCHEME.test(text) ? null : `http://${text}`;
}

function withoutWww(host: string): string {
  const rest = host.replace(/^(?:www\.)+/, '');
  return rest.includes('.') || rest === 'localhost' ? rest : host;
}

function isDomain(host: string): boolean {
  return host.length <= MAX_DOMAIN_LENGTH && host.split('.').every((label) => LABEL.test(label));
}
