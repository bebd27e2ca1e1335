/** Turns the visits of the dashboard bench into medians and verdicts against the budgets of the pages, and those into text. */
import type { WebsiteName } from './query-workload.ts';
import { median, table } from './report.ts';

/** What one visit of one page took; times in milliseconds since the address was entered. */
export interface Visit {
  readonly page: string;
  readonly firstPaint: number;
  readonly largestPaint: number;
  /** Sum of all shifts that no act caused. */
  readonly layoutShift: number;
  /** The slowest of its clicks and keys, until the next frame. */
  readonly interaction: number;
  /** When the document held the first numbers, or the form to log in. */
  readonly numbers: number;
  /** Document, scripts and style sheets until then. */
  readonly files: number;
  /** Calls of the API that were answered until then. */
  readonly calls: number;
  /** Everything received until then, as sent. */
  readonly bytes: number;
  /** Scripts and style sheets until then, each as gzip. */
  readonly scriptBytes: number;
  readonly styleBytes: number;
  /** Of the whole visit. */
  readonly requests: number;
}

/** How soon the overview of a website is ready; milliseconds since the address was entered. */
export interface ReadyVisit {
  readonly website: WebsiteName;
  /** When the document held the first numbers. */
  readonly numbers: number;
  /** When every panel was drawn. */
  readonly all: number;
}

/** The most for both, on two processors that do nothing else, of ten million events. */
export const READY_GOALS: Readonly<Record<WebsiteName, { readonly numbers: number; readonly all: number }>> =
  {
    small: { numbers: 200, all: 400 },
    middle: { numbers: 300, all: 700 },
    large: { numbers: 800, all: 2_500 },
  };
/** Of fewer events the goals say nothing. */
export const READY_EVENTS = 10_000_000;

type Figure = Exclude<keyof Visit, 'page'>;

interface Budget {
  readonly figure: Figure;
  readonly text: string;
  readonly most: number;
}

/** Kilobytes are 1,024 bytes. */
const KILOBYTE = 1_024;

export const BUDGETS: readonly Budget[] = [
  { figure: 'firstPaint', text: 'FCP ≤ 1,200 ms', most: 1_200 },
  { figure: 'largestPaint', text: 'LCP ≤ 1,800 ms', most: 1_800 },
  { figure: 'layoutShift', text: 'CLS ≤ 0.05', most: 0.05 },
  { figure: 'interaction', text: 'INP ≤ 200 ms', most: 200 },
  { figure: 'files', text: 'files ≤ 3', most: 3 },
  { figure: 'calls', text: 'calls ≤ 3', most: 3 },
  { figure: 'scriptBytes', text: 'JS ≤ 60 KB gzip', most: 60 * KILOBYTE },
  { figure: 'styleBytes', text: 'CSS ≤ 10 KB gzip', most: 10 * KILOBYTE },
];

export interface DashboardRow {
  readonly page: string;
  /** Median of the visits, of each figure. */
  readonly figures: Readonly<Record<Figure, number>>;
  /** Texts of the budgets that the medians exceed. */
  readonly missed: readonly string[];
}

/** A row for each page, in the order of the visits. */
export function summarizeVisits(visits: readonly Visit[]): DashboardRow[] {
  return [...new Set(visits.map(({ page }) => page))].map((page) => {
    const own = visits.filter((visit) => visit.page === page);
    const [first] = own;
    const names = Object.keys(first ?? {}).filter((name): name is Figure => name !== 'page');
    const figures = Object.fromEntries(
      names.map((name) => [name, median(own.map((visit) => visit[name]))]),
    ) as Record<Figure, number>;
    // A figure that was not measured is no number, and meets nothing.
    const missed = BUDGETS.filter(({ figure, most }) => !(figures[figure] <= most)).map(({ text }) => text);
    return { page, figures, missed };
  });
}

export function renderVisits(rows: readonly DashboardRow[]): string {
  const whole = (value: number) => value.toFixed(0);
  const kilobytes = (value: number) => (value / KILOBYTE).toFixed(1);
  const head = [
    'page',
    'FCP',
    'LCP',
    'numbers',
    'INP',
    'CLS',
    'files',
    'calls',
    'KB',
    'JS',
    'CSS',
    'requests',
  ];
  const body = rows.map(({ page, figures }) => [
    page,
    whole(figures.firstPaint),
    whole(figures.largestPaint),
    whole(figures.numbers),
    whole(figures.interaction),
    figures.layoutShift.toFixed(3),
    whole(figures.files),
    whole(figures.calls),
    kilobytes(figures.bytes),
    kilobytes(figures.scriptBytes),
    kilobytes(figures.styleBytes),
    whole(figures.requests),
  ]);
  const verdicts = rows.map(({ page, missed }) =>
    missed.length === 0 ? `${page}: within every budget` : `${page}: MISSED ${missed.join(', ')}`,
  );
  return `${table([head, ...body], 1)}\n\n${verdicts.join('\n')}`;
}

export interface ReadyRow {
  readonly website: WebsiteName;
  /** Medians of the visits. */
  readonly numbers: number;
  readonly all: number;
  readonly isMet: boolean;
}

/** A row for each website, in the order of the visits. */
export function summarizeReady(visits: readonly ReadyVisit[]): ReadyRow[] {
  return [...new Set(visits.map(({ website }) => website))].map((website) => {
    const own = visits.filter((visit) => visit.website === website);
    const [numbers, all] = [median(own.map((visit) => visit.numbers)), median(own.map((visit) => visit.all))];
    const goal = READY_GOALS[website];
    return { website, numbers, all, isMet: numbers <= goal.numbers && all <= goal.all };
  });
}

export function renderReady(rows: readonly ReadyRow[], events: number): string {
  const body = rows.map(({ website, numbers, all, isMet }) => {
    const goal = READY_GOALS[website];
    const verdict = events < READY_EVENTS ? '–' : isMet ? 'met' : 'MISSED';
    return [website, numbers.toFixed(0), `≤ ${goal.numbers}`, all.toFixed(0), `≤ ${goal.all}`, verdict];
  });
  return table([['website', 'numbers', 'goal', 'all panels', 'goal', ''], ...body], 1);
}
