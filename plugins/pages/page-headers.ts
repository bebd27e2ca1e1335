/** What the document of the pages may load and do: its own files and the API it stands beside, nothing else. */

/**
 * No script but those of the folder, no text that becomes one (Trusted Types, with no policy that could make it one), no
 * frame around it, no form that leaves by itself.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export const NOSNIFF: readonly string[] = ['X-Content-Type-Options', 'nosniff'];

/**
 * The referrer goes to the own origin: where a browser sends no Sec-Fetch-Site, it is what a session cookie counts by. What
 * is switched off is what browsers ask their users for.
 */
export const DOCUMENT_HEADERS: readonly string[] = [
  ...NOSNIFF,
  ...['Content-Security-Policy', CONTENT_SECURITY_POLICY],
  ...['Referrer-Policy', 'same-origin'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
  ...['X-Frame-Options', 'DENY'],
  ...[
    'Permissions-Policy',
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  ],
];
