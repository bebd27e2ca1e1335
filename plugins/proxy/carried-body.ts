/** The body of a client as a service of this process reads it: a stream of its own, so that what the service does to it does not reach the client's. */
import { IncomingMessage } from 'node:http';
import { finished, Readable } from 'node:stream';
import { drainBody } from '../kit/drain-body.ts';

/** What happens to the body on its way. */
export interface BodyWatcher {
  /** More of it came, or its end. */
  moved(): void;
  /** It broke off. */
  failed(fault: Error): void;
}

export class CarriedBody extends Readable {
  readonly #sent: Readable;
  #isLeft = false;

  constructor(sent: Readable, watcher: BodyWatcher) {
    super();
    this.#sent = sent;
    sent.on('data', (chunk: Buffer) => {
      if (this.#isLeft) return;
      watcher.moved();
      if (!this.push(chunk)) sent.pause();
    });
    finished(sent, { writable: false }, (fault) => {
      if (this.#isLeft) return;
      watcher.moved();
      if (fault == null) {
        this.push(null);
        return;
      }
      // What express's reader waits for.
      this.emit('aborted');
      watcher.failed(fault);
    });
  }

  /** Whether more of it is to come. */
  get isUnderWay(): boolean {
    return !this.#isLeft && !this.#sent.readableEnded && !this.#sent.destroyed;
  }

  override _read(): void {
    this.#sent.resume();
  }

  /** Nobody reads the rest: of a client's own stream it is dropped as it comes, so that its connection stays usable. */
  leave(): void {
    this.#isLeft = true;
    const sent = this.#sent;
    if (sent.readableEnded || sent.destroyed) return;
    if (sent instanceof IncomingMessage) drainBody(sent);
    else sent.destroy();
  }
}
