/** What browsers are told of the document of the pages: its own files and the API it stands beside, in no frame. */
import { PERMISSIONS, pagePolicy } from '../../services/shared/http/page-policy.ts';

export const CONTENT_SECURITY_POLICY = pagePolicy([]);

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
  ...['Permissions-Policy', PERMISSIONS],
];
