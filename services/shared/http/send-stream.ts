/** Answers piece by piece, as fast as the client reads; a fault before the first piece is an answer of its own. */
import type { ErrorBody } from '../errors/error-body.ts';
import type { Piece } from './service-exchange.ts';

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
  const lastPiece = (thrown: unknown): string => {
    const fault = told(thrown);
    if (faultPiece === undefined) throw thrown;
    return faultPiece(fault);
  };
  return { mediaType, pieces: piecesFrom(first, iterator, lastPiece) };
}

async function* piecesFrom(
  first: IteratorResult<Piece>,
  iterator: AsyncIterator<Piece>,
  lastPiece: (thrown: unknown) => string,
): AsyncGenerator<Piece> {
  try {
    for (let piece = first; piece.done !== true; piece = await iterator.next()) yield piece.value;
  } catch (thrown) {
    yield lastPiece(thrown);
  } finally {
    await iterator.return?.();
  }
}

/** Ends what makes the pieces of a begun body that nobody waits for any more; never rejects. */
export async function leaveStream(pieces: AsyncIterable<Piece>): Promise<void> {
  try {
    // A generator that was never started would end without its `finally`.
    for await (const _ of pieces) break;
  } catch {
    // Nobody waits for the fault either.
  }
}
