/** Memory after a collection of garbage, so that what is measured is what is held. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** `heapUsed` and `arrayBuffers` in bytes. */
export function memoryInUse(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What the first finds is freed beside the program; the second waits for that.
  collect();
  collect();
  return process.memoryUsage();
}
