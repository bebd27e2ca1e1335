/**
 * Limits the wait for an answer from MongoDB: the driver's only own limit is a silent connection (7.8: `timeoutMS` has no
 * effect).
 */

/** No answer came in time. The command may have been carried out, or still be. */
export class UnansweredError extends Error {
  constructor(ms: number) {
    super(`a command got no answer within ${ms} ms`);
    this.name = 'UnansweredError';
  }
}

/** The result of the command. @throws UnansweredError after this many milliseconds, or what the command throws before */
export async function answeredWithin<R>(ms: number, command: Promise<R>): Promise<R> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new UnansweredError(ms)), ms);
  });
  try {
    return await Promise.race([command, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Options of a write for which the server waits this many milliseconds until a majority has it in its journal. Otherwise
 * the server answers that it failed, and the connection is free; a wait abandoned only here would occupy it for a
 * minute.
 */
export function majorityWithin(ms: number) {
  return { writeConcern: { w: 'majority', journal: true, wtimeoutMS: ms } } as const;
}
