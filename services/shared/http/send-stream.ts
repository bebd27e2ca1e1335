/** Sends an answer piece by piece, as fast as the client reads; a fault before the first piece is an answer of its own. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ErrorBody } from '../errors/error-body.ts';

/** A part of a body. */
type Piece = string | Uint8Array;

/** A body whose length nobody knows when it begins. */
export interface StreamedBody {
  readonly mediaType: string;
  /** Each piece is sent when it is there; the next one is asked for once the client has room for it. */
  readonly pieces: AsyncIterable<Piece>;
  /**
   * The last piece, in place of those to come, when one of them fails with `fault`; without it the connection breaks, so that
   * nobody takes what was sent for the whole.
   */
  faultPiece?(fault: ErrorBody): string;
}

/** A body of which the first piece is there: only a client that leaves can fail the answer any more. */
export interface BegunBody {
  readonly mediaType: string;
  readonly pieces: AsyncIterable<Piece>;
}

/** @throws what the first piece failed with; `told` turns what a later one throws into an error body */
export async function beginStream(
  { mediaType, pieces, faultPiece }: StreamedBody,
  told: (thrown: unknown) => ErrorBody,
): Promise<BegunBody> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  const lastPiece = faultPiece && ((thrown: unknown) => faultPiece(told(thrown)));
  return { mediaType, pieces: piecesFrom(first, iterator, lastPiece) };
}

async function* piecesFrom(
  first: IteratorResult<Piece>,
  iterator: AsyncIterator<Piece>,
  lastPiece: ((thrown: unknown) => string) | undefined,
): AsyncGenerator<Piece> {
  try {
    for (let piece = first; piece.done !== true; piece = await iterator.next()) yield piece.value;
  } catch (thrown) {
    if (lastPiece === undefined) throw thrown;
    yield lastPiece(thrown);
  } finally {
    await iterator.return?.();
  }
}

/** Resolves when everything was sent, or once the client has left, as `signal` says; then nothing more is made. */
export async function sendStream(
  res: ServerResponse,
  { mediaType, pieces }: BegunBody,
  signal: AbortSignal,
): Promise<void> {
  res.setHeader('Content-Type', mediaType);
  try {
    await pipeline(Readable.from(pieces), res);
  } catch (fault) {
    if (!signal.aborted) throw fault;
  }
}
