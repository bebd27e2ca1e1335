/** Writes the files of a new plugin; it overwrites nothing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PluginPlace } from './place.ts';

export function writePlugin({ root, files }: PluginPlace): void {
  for (const [path, text] of files) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
  }
}
