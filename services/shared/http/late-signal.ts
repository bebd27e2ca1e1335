/** The signal of a request that nobody waits for any more, made when somebody first asks for it: most end without a look. */
import { ApiError } from '../errors/api-error.ts';

export class LateSignal {
  #controller: AbortController | null = null;
  #isAborted = false;

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort(clientLeft());
    }
    return this.#controller.signal;
  }

  /** A second call does nothing. */
  abort(): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#controller?.abort(clientLeft());
  }
}

function clientLeft(): ApiError {
  return new ApiError('REQUEST_TIMEOUT', { text: 'The client left.' });
}
