/** What a document of ours may load and do in a browser: its own files and the API that it stands beside, nothing else. */

/**
 * The Content-Security-Policy: no script but files of its own origin, no text that becomes one (Trusted Types, with no policy
 * that could make it one), no form that leaves by itself. `frames`: origins whose pages may stand around it; none: no page may.
 */
export function pagePolicy(frames: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** Switches off what browsers ask their users for. */
export const PERMISSIONS = 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()';
