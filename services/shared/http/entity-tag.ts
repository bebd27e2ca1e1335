/** Entity tags of answers that are generated anew each time and often turn out the same (RFC 9110, 8.8.3 and 13.1.2). */
import { createHash } from 'node:crypto';

/** A strong tag of these bytes: equal bytes, equal tag. */
export function entityTagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

/** Whether an `If-None-Match` names `etag`, by weak comparison. */
export function namesEntityTag(header: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return (header ?? '').split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}
