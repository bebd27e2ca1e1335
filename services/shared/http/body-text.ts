/** The text of a JSON body: everybody here reads it this way. */

/** Drops a byte order mark, which express's reader skips too. */
export function bodyText(body: Buffer): string {
  const marked = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return body.toString('utf8', marked ? 3 : 0);
}
