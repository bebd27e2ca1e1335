/** What the name of a file of the pages says: its media type, whether it may be kept for ever, and what is never served. */

/** The one document. */
export const DOCUMENT = 'document.html';

/** By extension. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  ico: 'image/x-icon',
  webmanifest: 'application/manifest+json',
  txt: 'text/plain; charset=utf-8',
  woff2: 'font/woff2',
};
export const EXTENSIONS: readonly string[] = Object.keys(MEDIA_TYPES);

/** Extensions of what stands beside files and is no page: compressed forms and source maps. */
const NEVER_SERVED: readonly string[] = ['gz', 'br', 'map'];

/** `name.<hash>.ext`: other bytes get another name. */
const HASHED = /^[A-Za-z0-9_-][A-Za-z0-9._-]*\.[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/;
const EXTENSION = /\.([A-Za-z0-9]+)$/;

/** Undefined for a file that is not served. */
export function mediaTypeOf(name: string): string | undefined {
  const extension = EXTENSION.exec(name)?.[1] ?? '';
  return Object.hasOwn(MEDIA_TYPES, extension) ? MEDIA_TYPES[extension] : undefined;
}

/** Whether its name holds a hash of what is in it. */
export function isHashed(name: string): boolean {
  return HASHED.test(name);
}

/** Whether a request for this name is for a file, not for a place within the pages. */
export function isFileName(name: string): boolean {
  if (name.startsWith('.')) return true;
  const extension = EXTENSION.exec(name)?.[1]?.toLowerCase() ?? '';
  return EXTENSIONS.includes(extension) || NEVER_SERVED.includes(extension);
}
