/** Records one answer while it passes, and keeps it if it may be kept. */
import { RUNNING_TIME_HEADER } from '../../services/shared/http/running-time-header.ts';
import type { AnswerRecorder, BackendHeaders } from '../kit/kept-answer.ts';
import type { GatewayRequest } from '../kit/request-context.ts';
import type { AnswerStore } from './answer-store.ts';
import { type Defaults, type Lifetime, lifetimeOf } from './cache-control.ts';
import { canVaryBy, withHeaders } from './cache-key.ts';
import type { Landing } from './flights.ts';

/** What an answer is asked for. */
export interface Asked {
  readonly req: GatewayRequest;
  /** Without the headers that the answer depends on. */
  readonly key: string;
  readonly address: string;
  /** What its backend gets of the request's headers. */
  readonly sent: () => readonly string[];
  readonly askedAtMs: number;
}

export interface RecordingLimits extends Defaults {
  readonly maxAnswerBytes: number;
}

export class Recording implements AnswerRecorder {
  readonly #asked: Asked;
  readonly #store: AnswerStore;
  readonly #limits: RecordingLimits;
  readonly #onDone: (landing: Landing) => void;
  readonly #clears: number;
  readonly #sent: readonly string[];
  #headers: BackendHeaders = {};
  #lifetime: Lifetime | null = null;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isDone = false;

  /** `onDone` is called once: when the answer is kept, or when it is known that it is not. A failure of the backend is none for anybody. */
  constructor(asked: Asked, store: AnswerStore, limits: RecordingLimits, onDone: (landing: Landing) => void) {
    this.#asked = asked;
    this.#store = store;
    this.#limits = limits;
    this.#onDone = onDone;
    this.#clears = store.clears;
    // The connection, which decides whether some of them pass, may be gone when the answer comes.
    this.#sent = asked.sent();
  }

  begin(status: number, headers: BackendHeaders): void {
    if (this.#isDone) return;
    this.#headers = headers;
    this.#lifetime = lifetimeOf(status, headers, this.#limits);
    const isTooLarge = Number(headers['content-length'] ?? 0) > this.#limits.maxAnswerBytes;
    if (this.#lifetime === null || isTooLarge || !canVaryBy(this.#lifetime.varies, this.#sent))
      this.#done(status < 500 ? 'alone' : 'left');
  }

  data(chunk: Buffer): void {
    if (this.#isDone) return;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limits.maxAnswerBytes) this.#done('alone');
    else this.#chunks.push(chunk);
  }

  end(): void {
    if (this.#isDone) return;
    const { key, address, askedAtMs } = this.#asked;
    const lifetime = this.#lifetime;
    const isOld = this.#store.clears !== this.#clears || this.#store.wasWritten(address, askedAtMs);
    if (lifetime === null || isOld) {
      this.fail();
      return;
    }
    const { etag } = this.#headers;
    // Memory of its own: the chunks, and small buffers, are parts of larger ones.
    const body = Buffer.allocUnsafeSlow(this.#bytes);
    let offset = 0;
    for (const chunk of this.#chunks) offset += chunk.copy(body, offset);
    // The time that the work took was charged to the one who asked.
    const headers = {
      ...this.#headers,
      'content-length': `${body.length}`,
      [RUNNING_TIME_HEADER]: undefined,
    };
    const isKept = this.#store.set(
      key,
      withHeaders(key, () => this.#sent, lifetime.varies),
      {
        ...{ answer: { status: 200, headers, body }, lifetime, address },
        ...{ etag: typeof etag === 'string' ? etag : null, storedAtMs: askedAtMs, isRenewed: false },
      },
    );
    this.#done(isKept ? 'kept' : 'alone');
  }

  fail(): void {
    if (!this.#isDone) this.#done('left');
  }

  #done(landing: Landing): void {
    this.#isDone = true;
    this.#chunks = [];
    this.#onDone(landing);
  }
}
