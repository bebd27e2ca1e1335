/** Heads and chunks that two readers of HTTP/1.1 could cut differently, of requests and of answers alike. */

/** What stands behind the first line, by what is wrong with it: headers, the empty line, and a body. */
export const FAULTY_HEADS: Readonly<Record<string, string>> = {
  'Content-Length before Transfer-Encoding':
    'Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'Transfer-Encoding before Content-Length':
    'Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n',
  'two Content-Lengths that differ': 'Content-Length: 2\r\nContent-Length: 0\r\n\r\n{}',
  'two Content-Lengths that agree': 'Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}',
  'a list as Content-Length': 'Content-Length: 2, 2\r\n\r\n{}',
  'a signed Content-Length': 'Content-Length: +2\r\n\r\n{}',
  'a negative Content-Length': 'Content-Length: -2\r\n\r\n{}',
  'a hexadecimal Content-Length': 'Content-Length: 0x2\r\n\r\n{}',
  'a Content-Length with a space in it': 'Content-Length: 2 2\r\n\r\n{}',
  'an endless Content-Length': `Content-Length: ${'9'.repeat(30)}\r\n\r\n{}`,
  'an empty Content-Length': 'Content-Length:\r\n\r\n{}',
  'an unknown Transfer-Encoding': 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
  'chunked twice in one header': 'Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n',
  'chunked twice in two headers': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'gzip before chunked': 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  'a quoted chunked': 'Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n',
  'an empty Transfer-Encoding': 'Transfer-Encoding:\r\nContent-Length: 2\r\n\r\n{}',
  'a space before the colon': 'Content-Length : 2\r\n\r\n{}',
  'a folded Transfer-Encoding': 'Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n',
  'a folded header': 'X-A: b\r\n\tc\r\nContent-Length: 2\r\n\r\n{}',
  'a header line that begins with a space': ' X-A: b\r\nContent-Length: 2\r\n\r\n{}',
  'a bare LF between headers': 'X-A: b\nContent-Length: 2\r\n\r\n{}',
  'a bare LF that ends the headers': 'Content-Length: 2\r\n\n{}',
  'a bare CR in a header': 'X-A: b\rContent-Length: 2\r\n\r\n{}',
  'a NUL in a header': 'X-A: b\u0000\r\nContent-Length: 2\r\n\r\n{}',
  'a header line without a colon': 'X-A\r\nContent-Length: 2\r\n\r\n{}',
};

/** What stands behind a head with `Transfer-Encoding: chunked`, by what is wrong with it. */
export const FAULTY_CHUNKS: Readonly<Record<string, string>> = {
  'a chunk size with a sign': '+2\r\n{}\r\n0\r\n\r\n',
  'a chunk size with 0x': '0x2\r\n{}\r\n0\r\n\r\n',
  'a chunk size that is no number': 'zz\r\n{}\r\n0\r\n\r\n',
  'a chunk size with a space before it': ' 2\r\n{}\r\n0\r\n\r\n',
  'an empty chunk size': '\r\n{}\r\n0\r\n\r\n',
  'a chunk size that overflows': '10000000000000002\r\n{}\r\n0\r\n\r\n',
  'a chunk longer than its size': '1\r\n{}\r\n0\r\n\r\n',
  'a chunk without CRLF behind it': '2\r\n{}0\r\n\r\n',
  'a bare LF behind a chunk size': '2\n{}\r\n0\r\n\r\n',
  'a bare LF behind a chunk': '2\r\n{}\n0\r\n\r\n',
  'a bare LF in a chunk extension': '2;a\n{}\r\n0\r\n\r\n',
  'a bare CR in a chunk extension': '2;a\rb\r\n{}\r\n0\r\n\r\n',
};

/** The same names, each with what `make` makes of its text. */
export function mapTexts(
  texts: Readonly<Record<string, string>>,
  make: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, make(text)]));
}
