/** Whether many routes, keys and organizations slow a gateway down: its start, its memory and the CPU of a request beside one of each. */
import { fileURLToPath } from 'node:url';
import { measureScale } from './measure-scale.ts';
import { runBench } from './run-bench.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const USAGE = 'npm run bench:scale [-- ROUTES KEYS ORGANIZATIONS]';
const ROUNDS = 6;
/** Requests of one round. */
const REQUESTS = 8_000;

await runBench(USAGE, async (args, processes, folder) => {
  const [routes = 1_000, keys = 100_000, organizations = 1] = args.map(Number);
  const rows = await measureScale({
    ...{ processes, root: ROOT, folder, rounds: ROUNDS, requests: REQUESTS },
    sizes: [
      { routes: 1, keys: 1, organizations: 1 },
      { routes, keys, organizations },
    ],
    tell: (text) => console.error(`${text} …`),
  });
  console.table(
    rows.map((row) => ({
      routes: row.routes,
      keys: row.keys,
      organizations: row.organizations,
      'start, s': row.startSeconds.toFixed(1),
      'CPU of a request, median µs': row.cpuMicroseconds.toFixed(1),
      'beside one, median': row.toFirst.toFixed(3),
      'RSS MB': row.residentMegabytes.toFixed(0),
    })),
  );
});
