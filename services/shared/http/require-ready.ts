/** Whether a service can work: what its readiness path asks. */
import { ApiError } from '../errors/api-error.ts';

/** How long the stores may take to answer, in milliseconds. */
const READY_MS = 2_000;

/** @throws ApiError SERVICE_UNAVAILABLE when a store does not answer in time, or when the process ends */
export async function requireReady({
  health,
  isDraining = () => false,
}: {
  health(): Promise<unknown>;
  readonly isDraining?: () => boolean;
}): Promise<void> {
  if (isDraining()) throw new ApiError('SERVICE_UNAVAILABLE', { text: 'The service is stopping.' });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${READY_MS} ms`)), READY_MS);
  });
  try {
    await Promise.race([health(), late]);
  } catch (fault) {
    throw new ApiError('SERVICE_UNAVAILABLE', { cause: fault });
  } finally {
    clearTimeout(timer);
  }
}
