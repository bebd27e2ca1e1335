/** The media type of a body, where everybody who reads its headers reads the same. */
import type { IncomingMessage } from 'node:http';
import { plainName } from '../kit/header-names.ts';

const NAME = 'content-type';
const JSON_TYPE = /^(?:application|text)\/(?:[a-z0-9.-]+\+)*json$/;

/** In lower case without parameters; JSON where none came. Null: several came, of which a backend may read another one. */
export function typeOf({ headers, rawHeaders }: IncomingMessage): string | null {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === NAME.length && plainName(name) === NAME) count++;
  }
  if (count > 1) return null;
  const written = headers[NAME] ?? '';
  if (written === '' && count === 0) return 'application/json';
  return written.split(';')[0]?.trim().toLowerCase() || null;
}

export function isJson(type: string | null): boolean {
  return type !== null && JSON_TYPE.test(type);
}
