/** Answers of backends that are kept: how the proxy tells one while it passes, and what it sends in place of asking again. */

/** Headers as a backend sent them, by name in lower case. */
export type BackendHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** An answer as its backend gave it, without what the gateway adds. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: BackendHeaders;
  readonly body: Buffer;
}

/** Told what a backend answers, while it passes. After `end` or `fail` nothing more comes. */
export interface AnswerRecorder {
  begin(status: number, headers: BackendHeaders): void;
  data(chunk: Buffer): void;
  end(): void;
  /** The answer broke off. Where the gateway itself answers, such as with an error, nothing is told at all. */
  fail(): void;
}
