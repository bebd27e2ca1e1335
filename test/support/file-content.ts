/** What stands in a file that another process may take away at any moment. */
import { readFileSync } from 'node:fs';

const GONE: readonly unknown[] = ['ENOENT', 'ESRCH'];

/** The file, one character per byte; empty where there is none, or where the process that `/proc` told of has ended. */
export function contentOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    if (GONE.includes((error as NodeJS.ErrnoException).code)) return '';
    throw error;
  }
}
