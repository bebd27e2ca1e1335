/** A batch of `POST /v1/query` that comes line by line: each dataset as soon as it is ready, so that the first numbers wait for no list. */
import type { DatasetAnswer, QueryAnswer } from './wire.ts';

export const LINES = 'application/x-ndjson';

/** What has come of a batch so far. */
export interface PartBatch {
  readonly results: readonly Pick<QueryAnswer, 'queryId' | 'data'>[];
}

interface DatasetLine extends DatasetAnswer {
  readonly queryId?: string;
  /** The place of its request object, from 0. */
  readonly request: number;
}

/** The last line: it tells that all has come, or why the rest does not. */
type LastLine = { readonly meta: unknown } | { readonly success: false; readonly code: string };

/** Takes the lines of an answer in their order. */
export class StreamedBatch {
  #results: { queryId?: string; data: DatasetAnswer[] }[] = [];
  /** The body of an error that came in place of the rest. */
  error: unknown;
  /** Whether the last line has come. */
  isWhole = false;

  /** Takes a line, and tells whether it begins another request object than the line before: then those before are whole. */
  take(text: string): boolean {
    const line = JSON.parse(text) as DatasetLine | LastLine;
    if ('meta' in line) {
      this.isWhole = true;
      return false;
    }
    if (!('request' in line)) {
      this.error = line;
      return false;
    }
    const { request, queryId, ...answer } = line;
    const isNext = request >= this.#results.length && this.#results.length > 0;
    while (this.#results.length <= request) this.#results.push({ data: [] });
    const result = this.#results[request];
    if (result) Object.assign(result, { queryId, data: [...result.data, answer] });
    return isNext;
  }

  /** What has come so far; with `isBefore`, without the request object that was begun last. */
  batch(isBefore = false): PartBatch {
    const results = this.#results.map((result) => ({ ...result }));
    return { results: isBefore ? results.slice(0, -1) : results };
  }
}

/** The lines of a body, each once it is whole. */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines.filter((line) => line !== '');
      if (done) break;
    }
    if (rest !== '') yield rest;
  } finally {
    // Who stops reading wants no more of it.
    await reader.cancel().catch(() => {});
  }
}
