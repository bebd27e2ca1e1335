/**
 * The headers on every answer, whoever makes it: who may cache it, what it depends on, and that browsers must not guess
 * its type.
 */
import type { RequestContext } from './request-context.ts';

/** What an answer depends on besides its target; flags combined by `|` in `context.varies`. */
export const VARIES = { origin: 1, credential: 2, encoding: 4 } as const;

const NAMES = [
  [VARIES.encoding, 'Accept-Encoding'],
  [VARIES.credential, 'Authorization, x-api-key, Cookie'],
  [VARIES.origin, 'Origin'],
] as const;
/** The header for each combination of flags, built once. */
const TEXTS = Array.from({ length: 8 }, (_, flags) =>
  NAMES.flatMap(([flag, names]) => ((flags & flag) === 0 ? [] : [names])).join(', '),
);

const NO_STORE = 'private, no-store';
/** Types that a browser must not mistake for others: JSON, scripts and images. */
const TYPED = /^(?:application\/(?:[a-z0-9.+-]*\+)?(?:x-ndjson|json|javascript)|text\/javascript|image\/)/i;

/**
 * Completes `headers` (name, value, name, value) of an answer with those common to all. No cache may keep an answer to a
 * credential, valid or not, unless the answer itself says otherwise. All its `Vary` headers are merged.
 */
export function completeHeaders(headers: string[], context: RequestContext): void {
  const isPrivate = context.isPrivate || context.endpoint.access !== 'public';
  // Whether a cookie counts depends on the page that sends the request.
  let varies = isPrivate ? context.varies | VARIES.credential | VARIES.origin : context.varies;
  let further = '';
  let isKept = false;
  let isTyped = false;
  let { hsts } = context.gateway;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    switch (name.length) {
      case 4: {
        if (name.toLowerCase() !== 'vary') break;
        const [flags, others] = readVary(headers[index + 1] as string);
        varies |= flags;
        further += others;
        headers.splice(index, 2);
        index -= 2;
        break;
      }
      case 12:
        isTyped ||= name.toLowerCase() === 'content-type' && isTypedText(headers[index + 1] as string);
        break;
      case 13:
        isKept ||= name.toLowerCase() === 'cache-control';
        break;
      case 22:
        if (name.toLowerCase() !== 'x-content-type-options') break;
        isTyped = true;
        headers.splice(index, 2);
        index -= 2;
        break;
      case 25:
        if (name.toLowerCase() === 'strict-transport-security') hsts = null;
        break;
    }
  }
  if (hsts !== null) headers.push('Strict-Transport-Security', hsts);
  if (isTyped) headers.push('X-Content-Type-Options', 'nosniff');
  if (isPrivate && !isKept) headers.push('Cache-Control', NO_STORE);
  const vary = further === '' ? TEXTS[varies] : `${TEXTS[varies]}${further}`.replace(/^, /, '');
  if (vary) headers.push('Vary', vary);
}

/** A shortcut for the usual type. */
function isTypedText(type: string): boolean {
  return type.startsWith('application/json') || TYPED.test(type);
}

/** The flags of a `Vary` that something else wrote, and its other names as text to append. */
function readVary(text: string): [flags: number, others: string] {
  let flags = 0;
  let others = '';
  for (const part of text.split(',')) {
    const name = part.trim();
    const known = name.toLowerCase();
    if (known === 'origin') flags |= VARIES.origin;
    else if (known === 'accept-encoding') flags |= VARIES.encoding;
    else if (name !== '') others += `, ${name}`;
  }
  return [flags, others];
}
