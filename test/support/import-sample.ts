/** Fills a website of a running server with sample events that end now: visitors with places, devices and campaigns. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateEvents } from '../sample/generate-events.ts';
import { storeSettings } from './distributed/shared-documents.ts';
import { runCli } from './run-cli.ts';
import type { TestServer } from './start-tidegate.ts';

const MINUTE_MS = 60_000;
const MOST_TRIES = 10;

export interface Sample {
  readonly id: string;
  readonly domain: string;
  readonly events: number;
  readonly days: number;
  readonly seed: number;
}

/** @throws Error when the import did not take every event */
export async function importSample(server: TestServer, sample: Sample): Promise<void> {
  const { id, domain, events, days, seed } = sample;
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-sample-'));
  try {
    const file = join(folder, 'events.ndjson');
    const end = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    const made = generateEvents({ events, days, end, websites: [{ id, domain, share: 1 }], seed });
    writeFileSync(file, [...made].map((event) => `${JSON.stringify(event)}\n`).join(''));
    const importing = ['import', file, '--website', id, '--max-faults', '0'];
    for (let tries = 1; ; tries++) {
      const { code, error } = await runCli(importing, storeSettings(server.dataDir));
      if (code === 0) break;
      // Stores of a busy machine may be silent for longer than a write waits: the command goes on where it was.
      const goesOn = error.includes('temporarily unavailable') && tries < MOST_TRIES;
      if (!goesOn) throw new Error(`the import of the sample ended with ${code}: ${error}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
