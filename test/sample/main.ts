/** `npm run sample`: writes realistic sample events, one JSON object a line, to a file or standard output, or imports them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { generateEvents, zipfWebsites } from './generate-events.ts';

const CLI = fileURLToPath(new URL('../../gateway/cli/main.js', import.meta.url));
const DAY_MS = 86_400_000;
/** Events of one write. */
const BLOCK = 1_000;

interface SampleCommandOptions {
  readonly events: number;
  readonly days: number;
  readonly websites: number;
  readonly seed: number;
  readonly website?: string[];
  readonly until?: string;
  readonly out?: string;
  readonly import?: true;
}

async function writeSample(options: SampleCommandOptions, out: NodeJS.WritableStream): Promise<void> {
  const { events, days, seed, website } = options;
  const end =
    options.until === undefined
      ? Math.floor(Date.now() / DAY_MS) * DAY_MS
      : Date.parse(`${options.until}T00:00:00Z`) + DAY_MS;
  if (Number.isNaN(end)) throw new Error(`--until ${options.until} is no day such as 2025-06-30`);
  const websites = zipfWebsites(website?.length ?? options.websites).map((made, i) => ({
    ...made,
    id: website?.[i] ?? made.id,
  }));
  let lines: string[] = [];
  const flush = async () => {
    if (!out.write(`${lines.join('\n')}\n`)) await once(out, 'drain');
    lines = [];
  };
  for (const event of generateEvents({ events, days, end, websites, seed })) {
    if (lines.push(JSON.stringify(event)) === BLOCK) await flush();
  }
  if (lines.length > 0) await flush();
}

async function writeFile(options: SampleCommandOptions, path: string): Promise<void> {
  const file = createWriteStream(path);
  await writeSample(options, file);
  file.end();
  await once(file, 'finish');
}

async function writeAndImport(options: SampleCommandOptions): Promise<void> {
  if (!options.website)
    throw new Error('--import needs the websites that the events go to: --website web_1 web_2');
  const directory = mkdtempSync(join(tmpdir(), 'tidegate-sample-'));
  try {
    const path = join(directory, 'events.ndjson');
    await writeFile(options, path);
    const [first = ''] = options.website;
    const child = spawn(process.execPath, [CLI, 'import', path, '--website', first, '--max-faults', '0'], {
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    process.exitCode = code ?? 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function toNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Allowed: a whole number from 1.');
}

const program = new Command('sample')
  .description('Writes realistic sample events, the same for the same seed and end.')
  .option('--events <number>', 'how many', toNumber, 100_000)
  .option('--days <number>', 'over how many days', toNumber, 30)
  .option('--websites <number>', 'of how many made-up websites', toNumber, 3)
  .option('--website <ids...>', 'of these websites instead, the busiest first')
  .option('--seed <number>', 'another seed gives other events', toNumber, 1)
  .option('--until <day>', 'the last day, such as 2025-06-30; default: yesterday (UTC)')
  .option('--out <file>', 'where to; default: standard output')
  .option('--import', 'store them with tidegate import, in the websites of --website (of one organization)');
program.parse();
const options = program.opts<SampleCommandOptions>();
if (options.import) await writeAndImport(options);
else if (options.out === undefined) await writeSample(options, process.stdout);
else await writeFile(options, options.out);
