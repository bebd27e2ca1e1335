/** Plots as SVG, readable on light and dark screens, with a title and a text of every figure for those who do not see them. */

/** Colours for light and for dark screens. */
export const COLOURS = {
  light: { ground: '#ffffff', text: '#1f2328', faint: '#d0d7de', own: '#0b6bcb', other: '#7a828c' },
  dark: { ground: '#0d1117', text: '#e6edf3', faint: '#3d444d', own: '#58a6ff', other: '#8b949e' },
} as const;

const WIDTH = 760;
const MARGIN = 20;
/** Where bars begin and how long the longest is. */
const BAR_LEFT = 190;
const BAR_WIDTH = 430;
const ROW = 24;

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The value as people read it. */
  readonly text: string;
  /** Tidegate's own. */
  readonly isOwn: boolean;
}

export interface BarPlot {
  readonly title: string;
  /** What a longer bar means. */
  readonly caption: string;
  /** Each is drawn to its own longest bar. */
  readonly groups: readonly { readonly name: string; readonly bars: readonly Bar[] }[];
}

export interface LinePlot {
  readonly title: string;
  readonly caption: string;
  /** Texts of the values below, in rising order. */
  readonly ticks: readonly { readonly x: number; readonly text: string }[];
  readonly series: readonly {
    readonly name: string;
    readonly isOwn: boolean;
    readonly points: readonly { readonly x: number; readonly y: number; readonly text: string }[];
  }[];
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const round = (value: number): string => String(Math.round(value * 10) / 10);

function styleOf(colours: (typeof COLOURS)['light' | 'dark']): string {
  return `.ground{fill:${colours.ground}}text{fill:${colours.text}}.faint{stroke:${colours.faint}}.own{fill:${colours.own}}.other{fill:${colours.other}}.line-own{stroke:${colours.own}}.line-other{stroke:${colours.other}}`;
}

function drawing(title: string, caption: string, description: string, height: number, body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${round(height)}" role="img" aria-labelledby="title text">
<title id="title">${escaped(title)}</title>
<desc id="text">${escaped(description)}</desc>
<style>text{font:13px system-ui,sans-serif}.title{font-weight:600;font-size:15px}.group{font-weight:600}path{fill:none;stroke-width:2}${styleOf(COLOURS.light)}@media (prefers-color-scheme:dark){${styleOf(COLOURS.dark)}}</style>
<rect class="ground" width="${WIDTH}" height="${round(height)}" rx="6"/>
<text class="title" x="${MARGIN}" y="28">${escaped(title)}</text>
<text x="${MARGIN}" y="48">${escaped(caption)}</text>
${body}
</svg>
`;
}

/** Horizontal bars, each with its figure. */
export function barsSvg({ title, caption, groups }: BarPlot): string {
  const parts: string[] = [];
  let y = 64;
  for (const { name, bars } of groups) {
    const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
    parts.push(`<text class="group" x="${MARGIN}" y="${y + 16}">${escaped(name)}</text>`);
    y += ROW;
    for (const bar of bars) {
      const width = Math.max(2, (bar.value / most) * BAR_WIDTH);
      parts.push(
        `<text x="${BAR_LEFT - 8}" y="${y + 16}" text-anchor="end">${escaped(bar.name)}</text>`,
        `<rect class="${bar.isOwn ? 'own' : 'other'}" x="${BAR_LEFT}" y="${y + 3}" width="${round(width)}" height="${ROW - 8}" rx="2"/>`,
        `<text x="${round(BAR_LEFT + width + 8)}" y="${y + 16}">${escaped(bar.text)}</text>`,
      );
      y += ROW;
    }
    y += 8;
  }
  const description = groups
    .map(({ name, bars }) => `${name}: ${bars.map((bar) => `${bar.name} ${bar.text}`).join(', ')}.`)
    .join(' ');
  return drawing(title, caption, description, y + 8, parts.join('\n'));
}

/** Where a value stands between the least and the most, both on a scale of powers: 0..1. */
function place(value: number, values: readonly number[]): number {
  const [least, most] = [Math.log(Math.min(...values)), Math.log(Math.max(...values))];
  return most === least ? 0.5 : (Math.log(value) - least) / (most - least);
}

/** At least this far apart, so that no name covers another; the order stays. */
function apart(wanted: readonly number[], distance: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const found = [...wanted];
  let last = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    last = Math.max(wanted[index] ?? 0, last + distance);
    found[index] = last;
  }
  return found;
}

const DASHES = ['', '7 4', '2 4', '10 3 2 3', '1 3'];

/** Lines on scales of powers, each with its first figure and, at its end, its name and last figure. Values must be above 0. */
export function linesSvg({ title, caption, ticks, series }: LinePlot): string {
  const [left, right, top, bottom] = [100, WIDTH - 220, 80, 340];
  const [xs, ys] = [ticks.map(({ x }) => x), series.flatMap(({ points }) => points.map(({ y }) => y))];
  const atX = (x: number) => left + place(x, xs) * (right - left);
  const atY = (y: number) => bottom - place(y, ys) * (bottom - top);
  const parts = ticks.flatMap(({ x, text }) => [
    `<line class="faint" x1="${round(atX(x))}" x2="${round(atX(x))}" y1="${top}" y2="${bottom + 6}"/>`,
    `<text x="${round(atX(x))}" y="${bottom + 24}" text-anchor="middle">${escaped(text)}</text>`,
  ]);
  const namesAt = (at: number) =>
    apart(
      series.map(({ points }) => atY(points.at(at)?.y ?? 1)),
      17,
    );
  const [begins, ends] = [namesAt(0), namesAt(-1)];
  for (const [index, { name, isOwn, points }] of series.entries()) {
    const kind = isOwn ? 'own' : 'other';
    const at = points.map(({ x, y }) => `${round(atX(x))} ${round(atY(y))}`);
    const dash = isOwn ? '' : (DASHES[index % DASHES.length] ?? '');
    parts.push(
      `<path class="line-${kind}" stroke-dasharray="${dash}" d="M${at.join('L')}"/>`,
      ...points.map(
        ({ x, y }) => `<circle class="${kind}" cx="${round(atX(x))}" cy="${round(atY(y))}" r="4"/>`,
      ),
      `<text x="${left - 10}" y="${round((begins[index] ?? 0) + 4)}" text-anchor="end">${escaped(points[0]?.text ?? '')}</text>`,
      `<text x="${right + 12}" y="${round((ends[index] ?? 0) + 4)}">${escaped(`${name} ${points.at(-1)?.text ?? ''}`)}</text>`,
    );
  }
  const description = series
    .map(
      ({ name, points }) =>
        `${name}: ${points.map(({ x, text }) => `${text} at ${ticks.find((tick) => tick.x === x)?.text ?? x}`).join(', ')}.`,
    )
    .join(' ');
  return drawing(title, caption, description, bottom + 44, parts.join('\n'));
}
