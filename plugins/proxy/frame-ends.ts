/** Finds where the frames of one direction of a WebSocket end (RFC 6455, 5.2), and looks at nothing that they hold. */

const CLOSE = 8;

export class FrameEnds {
  /** The head of the frame at hand, as far as it came. */
  readonly #head = Buffer.alloc(14);
  #headBytes = 0;
  /** Bytes of the payload still to come. */
  #payload = 0;
  #hasClosed = false;

  /** Whether nothing of an unfinished frame has come. */
  get isBetween(): boolean {
    return this.#headBytes === 0 && this.#payload === 0;
  }

  /** Whether a Close frame began: this side sends no other. */
  get hasClosed(): boolean {
    return this.#hasClosed;
  }

  /** Follows the next bytes; returns how many of them belong to frames that are whole now. */
  take(bytes: Buffer): number {
    let whole = 0;
    let at = 0;
    while (at < bytes.length) {
      if (this.#payload > 0) {
        const part = Math.min(this.#payload, bytes.length - at);
        this.#payload -= part;
        at += part;
      } else {
        this.#head[this.#headBytes++] = bytes[at++] as number;
        this.#readHead();
      }
      if (this.isBetween) whole = at;
    }
    return whole;
  }

  #readHead(): void {
    if (this.#headBytes < 2) return;
    const [first = 0, second = 0] = this.#head;
    const short = second & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const maskBytes = second >= 0x80 ? 4 : 0;
    if (this.#headBytes < 2 + lengthBytes + maskBytes) return;
    if ((first & 0x0f) === CLOSE) this.#hasClosed = true;
    if (lengthBytes === 0) this.#payload = short;
    else if (lengthBytes === 2) this.#payload = this.#head.readUInt16BE(2);
    else this.#payload = Number(this.#head.readBigUInt64BE(2));
    this.#headBytes = 0;
  }
}

/** A Close frame with a status and a reason of at most 100 bytes; `mask`: four bytes, which a client's frame must have. */
export function closeFrame(status: number, reason: string, mask: Buffer | null): Buffer {
  const payload = Buffer.concat([Buffer.from([status >> 8, status & 0xff]), Buffer.from(reason)]);
  if (mask === null) return Buffer.concat([Buffer.from([0x80 | CLOSE, payload.length]), payload]);
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] as number));
  return Buffer.concat([Buffer.from([0x80 | CLOSE, 0x80 | payload.length]), mask, masked]);
}
