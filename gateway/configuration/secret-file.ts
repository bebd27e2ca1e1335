/** Reads a secret file that a configuration names, as orchestrators mount them. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';

/** Longer than any key or certificate chain. */
const MOST_BYTES = 65_536;

/** The text without line ends after it, or what is wrong with the file, in words that follow its name. */
export async function readSecretFile(
  file: string,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  if (!path.isAbsolute(file)) return { problem: 'is not named by an absolute path' };
  try {
    // Non-blocking: opening a pipe would wait for a writer.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return { problem: 'is not a file' };
      if (stats.size > MOST_BYTES) return { problem: `is larger than ${MOST_BYTES} bytes` };
      const bytes = await handle.readFile();
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/[\r\n]+$/, '');
      if (text.trim() === '') return { problem: 'is empty' };
      return text.includes('\0') ? { problem: 'is not text' } : { text };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { problem: 'is missing' };
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { problem: 'is not text in UTF-8' };
    return { problem: `cannot be read (${code})` };
  }
}
