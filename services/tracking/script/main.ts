/** Writes the tracker's script; the build runs it once the tracker's modules are compiled. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildTracker } from './build-tracker.ts';
import { TRACKER_SCRIPT } from './read-tracker-script.ts';

writeFileSync(TRACKER_SCRIPT, await buildTracker(fileURLToPath(new URL('../tracker/', import.meta.url))));
