/** `npm run bench`: every bench beside its peers, one document of figures, one table, one page. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../bench-options.ts';
import { type BenchProcesses, createBenchProcesses } from '../bench-processes.ts';
import { busyShare } from '../process-usage.ts';
import { table } from '../report.ts';
import { MissingRequirement } from '../target.ts';
import { documentSchema, type Part, type PerformanceDocument } from './document.ts';
import { PERFORMANCE_USAGE, type PerformanceOptions, readPerformanceOptions } from './options.ts';
import { DOCUMENT_FILE, renderFiles } from './page.ts';
import { MEASURE, USUAL_SECONDS } from './parts.ts';
import { summaryRows } from './tables.ts';
import { thisMachine } from './versions.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const EXIT_FAILED = 1;
const EXIT_UNUSABLE = 2;
const EXIT_INTERRUPTED = 130;
/** After the last minute, for processes to end; then the run ends without them. */
const GRACE_MILLISECONDS = 60_000;

/** The document of a folder, whose other parts stay; an empty one when there is none. @throws UsageError for another machine's */
function documentOf(folder: string, parts: readonly Part[]): PerformanceDocument {
  const machine = thisMachine(ROOT);
  const empty: PerformanceDocument = { version: 1, machine, leftOut: [], failed: [] };
  const kept = Object.keys(MEASURE).filter((part) => !parts.includes(part as Part));
  // One that is measured whole may have had another form before.
  const old = kept.length === 0 ? null : readDocument(path.join(folder, DOCUMENT_FILE));
  if (old === null) return empty;
  if (JSON.stringify(old.machine) !== JSON.stringify(machine)) {
    throw new UsageError(
      `--only: ${folder} holds figures of another machine; measure all, or --to another folder`,
    );
  }
  const stays = ({ part }: { readonly part: Part }) => kept.includes(part);
  return {
    ...{ ...empty, leftOut: old.leftOut.filter(stays), failed: old.failed.filter(stays) },
    ...Object.fromEntries(kept.map((part) => [part, old[part as Part]])),
  };
}

function readDocument(file: string): PerformanceDocument | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  return documentSchema.parse(JSON.parse(text));
}

/** Writes the document, its page and its plots; figures rounded to what they can tell. */
function write(folder: string, document: PerformanceDocument): void {
  mkdirSync(path.join(folder, 'pictures'), { recursive: true });
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
  // In the order of the schema, so that the same figures are the same text.
  const text = `${JSON.stringify(documentSchema.parse(document), rounded, 2)}\n`;
  writeFileSync(path.join(folder, DOCUMENT_FILE), text);
  for (const [name, content] of renderFiles(documentSchema.parse(JSON.parse(text)))) {
    writeFileSync(path.join(folder, name), content);
  }
}

async function run(options: PerformanceOptions): Promise<number> {
  const begun = performance.now();
  const say = (text: string) =>
    console.error(`${((performance.now() - begun) / 1_000).toFixed(0).padStart(5)} s  ${text}`);
  const folder =
    options.to === null
      ? mkdtempSync(path.join(tmpdir(), 'tidegate-performance-'))
      : path.resolve(options.to);
  let document = documentOf(folder, options.parts);
  let ended: string | null = null;
  let processes: BenchProcesses | null = null;
  const endEarly = (reason: string, code: number) => {
    ended ??= reason;
    void processes?.stopAll();
    // A part that does not end by itself is left; its document was written with the part before.
    setTimeout(() => process.exit(code), GRACE_MILLISECONDS).unref();
  };
  const timer = setTimeout(
    () => endEarly(`the ${options.minutes} minutes were over`, EXIT_FAILED),
    options.minutes * 60_000,
  ).unref();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => endEarly('it was interrupted', EXIT_INTERRUPTED));
  }
  for (const [number, part] of options.parts.entries()) {
    const about = options.quick ? '' : `, some ${Math.ceil(USUAL_SECONDS[part] / 60)} minutes`;
    say(`${part} (${number + 1} of ${options.parts.length}${about})`);
    if (ended === null) {
      processes = createBenchProcesses();
      document = await measurePart(options, part, document, processes, (text) => say(`${part}: ${text}`));
    }
    if (ended !== null && document[part] === undefined) {
      const failed = document.failed.filter((each) => each.part !== part);
      document = { ...document, failed: [...failed, { part, reason: ended }] };
    }
    write(folder, document);
  }
  clearTimeout(timer);
  console.log(`\n${table(summaryRows(document), 3)}\n`);
  for (const { part, name, reason } of document.leftOut)
    console.log(`not measured: ${name} (${part}): ${reason}`);
  for (const { part, reason } of document.failed) console.log(`FAILED ${part}: ${reason}`);
  say(`written to ${folder}`);
  if (ended === 'it was interrupted') return EXIT_INTERRUPTED;
  return document.failed.length > 0 || failuresOf(document) > 0 ? EXIT_FAILED : 0;
}

/** Requests and events that failed, which make figures void. */
function failuresOf({ gateway, ingest }: PerformanceDocument): number {
  const rows = [...(gateway?.rows ?? []), ...(gateway?.halfLoads ?? []), ...(ingest?.rows ?? [])];
  const failures = rows.reduce((sum, row) => sum + row.failures, 0);
  if (failures > 0) console.log(`${failures} requests or events failed: the figures do not count.`);
  return failures;
}

/** The document with that part, or with the reason why there is none. */
async function measurePart(
  { quick, events }: PerformanceOptions,
  part: Part,
  document: PerformanceDocument,
  processes: BenchProcesses,
  tell: (text: string) => void,
): Promise<PerformanceDocument> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tidegate-bench-'));
  // PostgreSQL runs as another user below it.
  chmodSync(folder, 0o755);
  const leftOut: PerformanceDocument['leftOut'] = [];
  const leaveOut = (name: string, reason: string) => {
    if (leftOut.some((each) => each.name === name)) return;
    leftOut.push({ part, name, reason });
    tell(`without ${name}: ${reason}`);
  };
  const [begun, started] = [new Date().toISOString(), performance.now()];
  const busyBefore = await busyShare();
  try {
    const measured = await MEASURE[part]({ processes, root: ROOT, folder, quick, events, tell, leaveOut });
    const seconds = Math.round((performance.now() - started) / 1_000);
    await processes.stopAll();
    const about = { begun, seconds, busyBefore, busyAfter: await busyShare(), quick };
    return {
      ...{ ...document, [part]: { about, ...measured } },
      leftOut: [...document.leftOut, ...leftOut],
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    tell(`FAILED: ${reason}`);
    return { ...document, failed: [...document.failed, { part, reason }] };
  } finally {
    await processes.stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<number> {
  const options = readPerformanceOptions(process.argv.slice(2));
  if (options.help) {
    console.log(PERFORMANCE_USAGE);
    return 0;
  }
  if (options.render === null) return run(options);
  const document = readDocument(options.render);
  if (document === null) throw new UsageError(`--render: ${options.render} cannot be read`);
  write(path.dirname(path.resolve(options.render)), document);
  return 0;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    if (error instanceof UsageError) console.error(`\n${PERFORMANCE_USAGE}`);
    process.exit(
      error instanceof UsageError || error instanceof MissingRequirement ? EXIT_UNUSABLE : EXIT_FAILED,
    );
  },
);
