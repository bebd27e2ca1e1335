/** A server process whose start takes as long as it likes: it says that it starts, and goes on when its standard input ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runProcess } from '../../gateway/process/run-process.ts';

export interface SlowStart {
  readonly child: ChildProcess;
  /** What it wrote until now. */
  output(): string;
  /** Lets the start go on. */
  goOn(): void;
}

/** Gives it back while it starts; it ends by SIGTERM alone. */
export async function beginSlowStart(): Promise<SlowStart> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], { stdio: 'pipe' });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  while (!text.includes('starting')) await once(child.stdout, 'data');
  return { child, output: () => text, goOn: () => child.stdin.end() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  await runProcess(async () => {
    say('starting');
    process.stdin.resume();
    await once(process.stdin, 'end');
    // As a listener would, it keeps the process.
    const listening = setInterval(() => undefined, 60_000);
    return {
      origin: 'nowhere',
      announcement: null,
      reload: async (reason) => say(`reloaded by ${reason}`),
      restart: async () => void say('restarted'),
      async close() {
        clearInterval(listening);
        say('closed');
      },
    };
  });
}
