/** A file system of a few megabytes that a test fills: only the superuser may mount one. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDirectory } from './temp-directory.ts';

export interface SmallDisk {
  /** Its root. */
  readonly path: string;
  /** Leaves no byte free. */
  fill(): void;
  /** Gives back what {@link fill} took. */
  free(): void;
  /** Makes it larger. */
  grow(megabytes: number): void;
  remove(): void;
}

/** Mounts one of `megabytes`; null when this user may not, which is told on standard error. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const directory = createTempDirectory();
  const { path } = directory;
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tidegate-test', path]);
  if (mounted.status !== 0) {
    directory.remove();
    process.stderr.write(
      'no small disk: mounting one needs the superuser; what a full disk does is not tested\n',
    );
    return null;
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      const file = openSync(filler, 'a');
      for (const size of [65_536, 1]) fillBy(file, Buffer.alloc(size));
      closeSync(file);
    },
    free: () => rmSync(filler, { force: true }),
    grow(size) {
      const { status } = spawnSync('mount', ['-o', `remount,size=${size}m`, path]);
      if (status !== 0) throw new Error(`${path} cannot be made larger`);
    },
    remove() {
      // Lazily: an engine that was closed may hold a file until its objects are collected.
      spawnSync('umount', ['--lazy', path]);
      directory.remove();
    },
  };
}

/** Writes until the disk is full. */
function fillBy(file: number, piece: Buffer): void {
  try {
    for (;;) writeSync(file, piece);
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'ENOSPC')) throw fault;
  }
}
