/** The page of a document of figures: method, machine and figures in words, and its plots; every number comes from the document. */
import { WEBSITES } from '../query-workload.ts';
import type { About, Part, PerformanceDocument } from './document.ts';
import { counted, figure, whole } from './names.ts';
import { gatewayPlots, growthPlots, ingestPlots, type Plot, queryPlots } from './part-plots.ts';
import { barsSvg, linesSvg } from './plot.ts';
import { gatewayTables, growthTables, ingestTables, queryTables, type Rows, summaryRows } from './tables.ts';

/** Name of the document beside the page. */
export const DOCUMENT_FILE = 'performance.json';
export const PAGE_FILE = 'performance.md';

/** More of the machine in use before a part, or after it, or a larger share of other work meanwhile, says that it was not quiet. */
const QUIET_SHARE = 0.1;

interface Section {
  readonly title: string;
  readonly method: string;
  readonly tables: readonly Rows[];
  readonly plots: readonly Plot[];
  readonly about: About;
  /** Share of other work on the processor of what is measured, where it is known: 0..1. */
  readonly othersShare: number;
}

/** The files of the page by their names in its folder. */
export function renderFiles(document: PerformanceDocument): ReadonlyMap<string, string> {
  const sections = sectionsOf(document);
  const plots = sections.flatMap(([, section]) => section.plots);
  return new Map([
    [PAGE_FILE, pageText(document, sections)],
    ...plots.map((plot) => [pictureOf(plot), svgOf(plot)] as const),
  ]);
}

const pictureOf = ({ name }: Plot): string => `pictures/performance-${name}.svg`;
const svgOf = (plot: Plot): string => (plot.kind === 'bars' ? barsSvg(plot.plot) : linesSvg(plot.plot));

function sectionsOf(document: PerformanceDocument): readonly (readonly [Part, Section])[] {
  const { gateway, growth, query, ingest } = document;
  const found: (readonly [Part, Section])[] = [];
  if (gateway) {
    const method = `One nginx answers about 200 bytes of JSON; each target stands before it in turn, on a processor of its own where there are two.
wrk keeps ${counted(gateway.connections, 'connection')} busy with a GET that reads and a POST of one event; medians of ${counted(gateway.runs, 'run')} of ${whole(gateway.seconds)} s.
Tidegate does everything that it does as shipped: key, scope, two windows of the plan, rate-limit headers, a signed identity, proxy. Bare undici and
stock express-gateway pass requests on and do nothing else; the others do the nearest equal job that they can.

At half load a client sends at a fixed pace, half of the requests a second above, whatever the answers do, and a wait counts from when the request was
due: a stall shows in all those behind it (coordinated omission is corrected). The upstream alone is asked at Tidegate's pace. Medians of
${counted(gateway.halfLoadRuns, 'run')} of ${whole(gateway.halfLoadSeconds)} s.`;
    const { about, othersShare } = gateway;
    found.push([
      'gateway',
      {
        ...{ title: 'The gateway', method, about, othersShare },
        ...{ tables: gatewayTables(gateway), plots: gatewayPlots(gateway) },
      },
    ]);
  }
  if (growth) {
    const method = `Gateways that differ in one number run side by side and are asked in turn, every route and ${growth.keysInUse} of the keys, ${counted(growth.rounds, 'round')} of
${whole(growth.requests)} requests. The ratio is the median of the rounds' own. CPU is that of a GET to a backend with key, scope and limits.`;
    found.push([
      'growth',
      {
        ...{ title: 'Routes, keys and organizations', method, about: growth.about, othersShare: 0 },
        ...{ tables: growthTables(growth), plots: growthPlots(growth) },
      },
    ]);
  }
  if (query) {
    const method = `A batch is five datasets over thirty days: summary, pages, sources, countries, browsers. The large, the middle and the small website have
${WEBSITES.map(({ share }) => figure(share * 100)).join(', ')} % of the events; every engine holds the same ones and gave the same answers before anything was measured. Tidegate is asked over HTTP through its gateway with a
key, and remembers no answer. PostgreSQL and SQLite have an index on website and time, ClickHouse (its engine in a process, chdb) a table in that order;
their statements are written by hand. ${counted(query.runs, 'round')}, in each of which every engine is asked in turn.`;
    found.push([
      'query',
      {
        ...{ title: 'Queries', method, about: query.about, othersShare: 0 },
        ...{ tables: queryTables(query), plots: queryPlots(query) },
      },
    ]);
  }
  if (ingest) {
    const method = `Tidegate gets \`POST /track\` through its gateway, with a key, and answers when events are on disk; it parses, checks and enriches them. PostgreSQL gets rows that
are ready made, one COPY and one commit for each group, into a table with an index on website and time, and waits for the disk as well. Both have one processor.
Medians of ${counted(ingest.runs, 'run')} of ${whole(ingest.seconds)} s; what was answered was counted in the store afterwards. An event of Tidegate was visible in queries after
${figure(ingest.visibleMilliseconds)} ms at most while others came in.`;
    const { about, othersShare } = ingest;
    found.push([
      'ingest',
      {
        ...{ title: 'Ingest', method, about, othersShare },
        ...{ tables: ingestTables(ingest), plots: ingestPlots(ingest) },
      },
    ]);
  }
  return found;
}

function markdownTable([head = [], ...rows]: Rows): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const isNumber = (column: number) => rows.every((row) => /^[\d.,–−-]*$/.test(row[column] ?? ''));
  const rule = head.map((_, column) => (isNumber(column) ? '---:' : '---'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

function percent(share: number): string {
  return `${whole(share * 100)} %`;
}

/** What a reader must know of the hour in which a part was measured. */
function hourText({ about, othersShare }: Section): string {
  const { begun, seconds, busyBefore, busyAfter, quick } = about;
  const when = `Measured on ${begun.slice(0, 10)} in ${whole(seconds)} s; the machine was ${percent(busyBefore)} busy before, ${percent(busyAfter)} after.`;
  const faults = [
    ...(quick
      ? ['**With the small counts of `--quick`, which show that it runs and are no measurement.**']
      : []),
    ...(Math.max(busyBefore, busyAfter, othersShare) > QUIET_SHARE
      ? ['**Other work ran on the machine: compare the ratios at most.**']
      : []),
  ];
  return [when, ...faults].join(' ');
}

function pageText(document: PerformanceDocument, sections: readonly (readonly [Part, Section])[]): string {
  const { machine, leftOut, failed } = document;
  const pinned = machine.pinned
    ? 'Of the gateway and of ingest, what is measured and its load have a processor each.'
    : 'Nothing is pinned to a processor.';
  const versions = Object.entries(machine.versions).map((each) => each.join(' '));
  const missing = [
    ...leftOut.map(({ part, name, reason }) => `- ${name} (${part}): ${reason.split('\n')[0]}`),
    ...failed.map(({ part, reason }) => `- all of ${part}: ${reason.split('\n')[0]}`),
  ];
  return `# Performance

\`npm run bench\` measures Tidegate beside others on one machine and writes this page. Every number comes from
[${DOCUMENT_FILE}](${DOCUMENT_FILE}); [the benches](../test/bench/README.md) say how each is measured, and how to measure yours.
Compare the columns of a table, never figures of two machines.

${wrapped(`Machine: ${machine.processor}, ${counted(machine.processors, 'processor')}, ${whole(machine.memoryGigabytes)} GB of memory, ${machine.system}, Node ${machine.node}. ${pinned} Beside it: ${versions.join(', ')}.`)}

${markdownTable(summaryRows(document))}
${missing.length === 0 ? '' : `\nNot measured:\n\n${missing.join('\n')}\n`}
${sections.map(([, section]) => sectionText(section)).join('\n')}`;
}

/** In lines that an editor shows whole. */
function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= 140) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}

function sectionText(section: Section): string {
  const pictures = section.plots.map((plot) => `![${plot.plot.title}](${pictureOf(plot)})`);
  return `## ${section.title}

${section.method.split('\n\n').map(wrapped).join('\n\n')}

${wrapped(hourText(section))}

${[...pictures, ...section.tables.map(markdownTable)].join('\n\n')}
`;
}
