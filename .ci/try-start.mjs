/** Runs the first command of the README on an empty folder, and what it prints: a start, an event taken, a query that knows it. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LONGEST_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'tidegate-start-'));
// A group of its own, so that npm and the server end together.
const child = spawn('npm', ['start'], {
  env: { ...process.env, PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
});

try {
  const output = await firstLines();
  const [origin] = /(?<=listens on )\S+/.exec(output) ?? [];
  const health = await fetch(`${origin}/health`);
  if (health.status !== 200) throw new Error(`/health: ${health.status}`);
  const page = await fetch(`${origin}/dashboard`);
  if (page.status !== 200) throw new Error(`/dashboard: ${page.status}`);
  const [track, query] = [...output.matchAll(/^curl .*$/gm)].map(([line]) => requestOf(line));
  await answerOf(track);
  const deadline = Date.now() + LONGEST_MS;
  while (!JSON.stringify(await answerOf(query)).includes('/welcome')) {
    if (Date.now() > deadline) throw new Error('no query knows the event');
    await sleep(200);
  }
  console.log(
    `npm start on Node ${process.version}: /health and /dashboard answer, an event is taken and found`,
  );
} finally {
  process.kill(-child.pid, 'SIGTERM');
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** What it prints until it listens and has shown both lines. */
async function firstLines() {
  let text = '';
  // Read on afterwards: nobody may write into a closed pipe.
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (/listens on \S+\n/.test(text) && text.match(/^curl .*\n/gm)?.length === 2) {
      child.stdout.resume();
      return text;
    }
  }
  throw new Error(`npm start ended: ${text}`);
}

/** The request of a curl line, as `fetch` takes it. */
function requestOf(line) {
  const [, url] = /'(http[^']+)'/.exec(line) ?? [];
  const headers = [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name, value]);
  const [, body] = /-d '([^']+)'/.exec(line) ?? [];
  return { url, options: { method: 'POST', headers, body } };
}

async function answerOf({ url, options }) {
  const response = await fetch(url, options);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}
