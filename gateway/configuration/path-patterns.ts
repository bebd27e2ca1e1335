/** The three kinds of path that the dispatch table compiles, and which requests two of them share. */

/** One segment of a path. */
export type Segment = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'param' };

/** A path as segments; `open` has a trailing `/*`, which stands for any rest, the empty one too. */
export interface PathPattern {
  readonly path: string;
  readonly segments: readonly Segment[];
  readonly open: boolean;
}

/** Parses a path that `pathProblem` found right. */
export function parsePath(path: string): PathPattern {
  const open = path.endsWith('/*');
  const body = open ? path.slice(0, -2) : path;
  // "/" is one empty segment, the open "/*" is none: "/*" answers "/" and all below it.
  const segments = body === '' ? [] : body.slice(1).split('/').map(parseSegment);
  return { path, segments, open };
}

function parseSegment(text: string): Segment {
  return text.startsWith(':') ? { kind: 'param' } : { kind: 'text', text };
}

/** Whether the path of a request (no query string) is one of the pattern's; case counts, as in the dispatch table. */
export function matches(pattern: PathPattern, path: string): boolean {
  const parts = path.slice(1).split('/');
  if (pattern.open ? parts.length <= pattern.segments.length : parts.length !== pattern.segments.length) {
    return false;
  }
  return pattern.segments.every((segment, index) => {
    const part = parts[index] ?? '';
    return segment.kind === 'param' ? part !== '' : part === segment.text;
  });
}

/** Whether some request path belongs to both. */
export function overlaps(a: PathPattern, b: PathPattern): boolean {
  if (!a.open && !b.open && a.segments.length !== b.segments.length) return false;
  if (a.open && !b.open && b.segments.length <= a.segments.length) return false;
  if (b.open && !a.open && a.segments.length <= b.segments.length) return false;
  return a.segments.every((segment, index) => {
    const other = b.segments[index];
    return other === undefined || segmentsMeet(segment, other);
  });
}

function segmentsMeet(a: Segment, b: Segment): boolean {
  if (a.kind === 'text') return b.kind === 'text' ? sameText(a.text, b.text) : a.text !== '';
  return b.kind === 'param' || b.text !== '';
}

/** Two paths are compared without regard to case, since express matches so. */
function sameText(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Whether every request path of `b` belongs to `a`. */
export function covers(a: PathPattern, b: PathPattern): boolean {
  if (a.open) {
    const shortest = b.open ? b.segments.length : b.segments.length - 1;
    if (shortest < a.segments.length) return false;
  } else if (b.open || a.segments.length !== b.segments.length) return false;
  return a.segments.every((segment, index) => {
    const other = b.segments[index];
    if (other === undefined) return false;
    if (segment.kind === 'text') return other.kind === 'text' && sameText(other.text, segment.text);
    return other.kind === 'param' || other.text !== '';
  });
}

/**
 * Which of two overlapping paths the dispatch table takes for a request of both: below 0 the first, above 0 the
 * second, 0 when they are the same. The first segment that differs decides: text before `:param` before `/*`.
 */
export function comparePrecedence(a: PathPattern, b: PathPattern): number {
  const depth = Math.max(a.segments.length, b.segments.length) + 1;
  for (let index = 0; index < depth; index += 1) {
    const difference = rank(a, index) - rank(b, index);
    if (difference !== 0) return difference;
  }
  return 0;
}

function rank(pattern: PathPattern, index: number): number {
  const segment = pattern.segments[index];
  if (segment) return segment.kind === 'text' ? 0 : 1;
  return pattern.open ? 2 : 3;
}
