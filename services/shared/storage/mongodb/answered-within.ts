/** Bounds the wait for an answer of MongoDB: the driver has no bound of its own but the silence of a connection (7.8: `timeoutMS` has no effect). */

/** No answer came in time. What was asked for may have been done, or be done yet. */
export class UnansweredError extends Error {
  constructor(ms: number) {
    super(`a command got no answer within ${ms} ms`);
    this.name = 'UnansweredError';
  }
}

/** What the command gives. @throws UnansweredError after so many milliseconds, and what the command throws before */
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
 * Options of a write for which the server waits so many milliseconds until a majority has it in its journal. Then it answers
 * that this is not so, and the connection is free: a wait that was only given up here would hold it for a minute.
 */
export function majorityWithin(ms: number) {
  return { writeConcern: { w: 'majority', journal: true, wtimeoutMS: ms } } as const;
}
