/** Opens a store in a process of its own, as a server does, and holds it open. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../services/shared/ports/clock.ts';
import { createDuckDbEventStore } from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { createSqliteDocumentStore } from '../../services/shared/storage/sqlite/sqlite-document-store.ts';

export type StoreKind = 'documents' | 'events';

/** Resolves once it is open. */
export async function holdOpen(kind: StoreKind, path: string): Promise<{ end(): Promise<void> }> {
  const script = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [script, kind, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), exited]);
  if (child.exitCode !== null) throw new Error(`${path} could not be opened`);
  return {
    async end() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const [, script, kind, path] = process.argv;
if (script === fileURLToPath(import.meta.url) && path !== undefined) {
  const store =
    kind === 'events'
      ? await createDuckDbEventStore({ path })
      : createSqliteDocumentStore({ path, clock: systemClock });
  await store.ping();
  process.stdout.write('open\n');
  // Used again and again, so that it is not collected.
  setInterval(() => void store.ping(), 500);
}
