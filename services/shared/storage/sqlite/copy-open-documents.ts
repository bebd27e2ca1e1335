/** Writes a copy of a document file that is in use: as of one instant, on a separate thread, while writes continue. */
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import Database from 'libsql';

interface CopyOrder {
  readonly path: string;
  readonly target: string;
}

const PROGRAM = fileURLToPath(import.meta.url);

/**
 * `target` must not exist yet; afterwards it is complete. The instant lies between the call and its end.
 * @throws Error when the file cannot be read or the copy not be written
 */
export function copyOpenDocuments(path: string, target: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const order: CopyOrder = { path, target };
    const worker = new Worker(PROGRAM, { workerData: { documentCopy: order } });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the copy of ${path} ended with exit code ${code}`));
    });
  });
}

/** Readers and the writer never block each other: both use the write-ahead log. */
function copy({ path, target }: CopyOrder): void {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  try {
    database.prepare('VACUUM INTO ?').run(target);
  } finally {
    database.close();
  }
}

if (!isMainThread) {
  const { documentCopy } = (workerData ?? {}) as { documentCopy?: CopyOrder };
  if (documentCopy) copy(documentCopy);
}
