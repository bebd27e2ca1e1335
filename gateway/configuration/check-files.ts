/** Looks at the files and folders that policies read, so that a missing one stops a start before a store is touched. */
import { createHash } from 'node:crypto';
import { accessSync, type BigIntStats, constants, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PlacedStep } from './check-steps.ts';
import type { LoadedPlugins } from './loaded-plugins.ts';

/** Most files and folders below one that a policy reads. */
export const MOST_FILES = 20_000;

/**
 * Reports what cannot be read, and what the policies say of the rest, each fault at the parameter that names the file. Returns
 * a fingerprint of everything that was looked at. It is taken before the policies read: what changes in between differs from
 * it, and the next reload reads it again.
 */
export function checkFiles(placedSteps: readonly PlacedStep[], { plugins }: LoadedPlugins): string {
  const policies = new Map(plugins.flatMap((plugin) => plugin.policies.map((one) => [one.name, one])));
  const hash = createHash('sha256');
  for (const { step, action } of placedSteps) {
    for (const read of policies.get(step.policy)?.reads?.(step.parameters) ?? []) {
      const place = read.path.reduce((cursor, key) => cursor.at(key), action);
      const found = look(read.location);
      hash.update(JSON.stringify(found));
      const faults = 'fault' in found ? [found.fault] : (read.judge?.() ?? []);
      for (const fault of faults) {
        place.report(`${read.location}: ${fault}`, {
          came: read.location,
          allowed: [read.expected],
          candidates: [],
        });
      }
    }
  }
  return hash.digest('hex');
}

/** The state of a file, or of a folder and all below it. */
type Found = { readonly states: readonly string[] } | { readonly fault: string };

function look(location: string): Found {
  const states: string[] = [];
  try {
    accessSync(location, constants.R_OK);
    const status = statSync(location, { bigint: true });
    states.push(stateOf(location, status));
    const folders = status.isDirectory() ? [location] : [];
    for (const folder of folders) {
      for (const name of readdirSync(folder).sort()) {
        const path = join(folder, name);
        states.push(stateOf(path, statSync(path, { bigint: true, throwIfNoEntry: false })));
        if (states.length > MOST_FILES) return { fault: `it holds more than ${MOST_FILES} files` };
        // A folder that is linked to might hold this one.
        if (lstatSync(path).isDirectory()) folders.push(path);
      }
    }
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    if (code === undefined) throw fault;
    return { fault: `there is no such file or folder, or it cannot be read (${code})` };
  }
  return { states };
}

/** Differs after every change, since nobody sets the time of the last change of a file; links count as what they lead to. */
function stateOf(path: string, status: BigIntStats | undefined): string {
  if (status === undefined) return path;
  const { dev, ino, size, mtimeNs, ctimeNs } = status;
  return [path, dev, ino, size, mtimeNs, ctimeNs].join(' ');
}
