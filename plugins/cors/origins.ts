/** Origins as the YAML names them: exact, every subdomain of a domain, or all. */

/** What is wrong with an entry of the list; null: nothing. */
export function originFault(text: string): string | null {
  if (text === '*') return null;
  const written = text.replace('://*.', '://x.');
  if (written.includes('*'))
    return 'has a star that does not stand for the subdomains, as in https://*.example.com';
  const origin = originOf(written);
  if (origin === null) return 'is no origin, such as https://app.example.com';
  if (origin !== written)
    return `is not as browsers write it; write ${origin.replace('://x.', text === written ? '://x.' : '://*.')}`;
  if (text === written) return null;
  const { hostname } = new URL(written);
  const labels = hostname.split('.').length - 1;
  return labels < 2 || /\.\d+$/.test(hostname) ? 'would let every page of a top-level domain in' : null;
}

/** The origin of an address without path, by http or https; null for anything else. */
function originOf(text: string): string | null {
  if (!/^https?:\/\/[^/?#@\\\s]+$/i.test(text)) return null;
  try {
    return new URL(text).origin;
  } catch {
    return null;
  }
}

/** Labels of a host name, with dots between. */
const LABELS = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/** Whether the list admits an origin as a browser writes it. */
export function createOrigins(texts: readonly string[]): (origin: string) => boolean {
  if (texts.includes('*')) return () => true;
  const exact = new Set(texts.filter((text) => !text.includes('*')));
  const patterns = texts
    .filter((text) => text.includes('*'))
    .map((text) => {
      const [before = '', after = ''] = text.split('*');
      return { before, after };
    });
  return (origin) =>
    exact.has(origin) ||
    patterns.some(
      ({ before, after }) =>
        origin.length > before.length + after.length &&
        origin.startsWith(before) &&
        origin.endsWith(after) &&
        LABELS.test(origin.slice(before.length, -after.length)),
    );
}
