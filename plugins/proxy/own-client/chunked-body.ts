/** Takes a chunked body apart (RFC 9112, 7.1), however its bytes are cut; trailers are checked and dropped. */
import { MOST_HEAD_BYTES, noHttp, refuseTrailer } from './response-head.ts';

/** With extensions that are names and values, no spaces: others read these differently. */
const SIZE_LINE =
  /^([0-9A-Fa-f]{1,8})(?:;[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:=(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"[\u0020!#-[\]-~]*"))?)*\r\n$/;
const MOST_SIZE_LINE = 1_024;
const END_OF_LINE = '\r\n';
const LF = 0x0a;

export class ChunkedBody {
  /** Nothing of it is to come. */
  isOver = false;
  #expects: 'size' | 'data' | 'end-of-data' | 'trailer' = 'size';
  /** Bytes that the chunk still lacks. */
  #missing = 0;
  /** What arrived of a line. */
  #line = '';
  #trailerBytes = 0;

  /**
   * Reads from `bytes` as far as the body goes, and gives `take` what is data; that stops reading with false. Returns how
   * much of them belongs to the body.
   * @throws undici's HTTPParserError
   */
  read(bytes: Buffer, take: (from: number, to: number) => boolean): number {
    let at = 0;
    while (at < bytes.length && !this.isOver) {
      if (this.#expects === 'data') {
        const to = Math.min(bytes.length, at + this.#missing);
        this.#missing -= to - at;
        if (this.#missing === 0) this.#expects = 'end-of-data';
        if (!take(at, to)) return to;
        at = to;
      } else {
        const end = bytes.indexOf(LF, at);
        const to = end < 0 ? bytes.length : end + 1;
        this.#line += bytes.toString('latin1', at, to);
        at = to;
        this.#judgeLine(end >= 0);
      }
    }
    return at;
  }

  #judgeLine(isWhole: boolean): void {
    const line = this.#line;
    const isTrailer = this.#expects === 'trailer';
    if (line.length > (isTrailer ? MOST_HEAD_BYTES - this.#trailerBytes : MOST_SIZE_LINE))
      throw noHttp('A line of the body is too long', 'CHUNK_EXTENSIONS_OVERFLOW');
    if (this.#expects === 'end-of-data' && !END_OF_LINE.startsWith(line))
      throw noHttp('Expected CRLF after chunk data', 'STRICT');
    if (!isWhole) return;
    this.#line = '';
    if (this.#expects === 'size') this.#begin(line);
    else if (!isTrailer) this.#expects = 'size';
    else if (line === END_OF_LINE) this.isOver = true;
    else {
      refuseTrailer(line);
      this.#trailerBytes += line.length;
    }
  }

  #begin(line: string): void {
    const size = SIZE_LINE.exec(line)?.[1];
    if (size === undefined) throw noHttp('Invalid chunk size', 'INVALID_CHUNK_SIZE');
    this.#missing = Number.parseInt(size, 16);
    this.#expects = this.#missing === 0 ? 'trailer' : 'data';
  }
}
