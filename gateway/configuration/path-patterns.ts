/** The three kinds of path that the dispatch table compiles, and which requests two of them share. */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../services/shared/caches/at-most.ts';

/** One segment of a path. */
export type Segment =
  // `folded`: two patterns are compared case-insensitively, as express matches.
  { readonly kind: 'text'; readonly text: string; readonly folded: string } | { readonly kind: 'param' };

/** A path as segments; `open` has a trailing `/*`, which matches any rest, including none. */
export interface PathPattern {
  readonly path: string;
  readonly segments: readonly Segment[];
  readonly open: boolean;
}

/** Parsed paths: a check compares each with many others, and the next one meets the same. */
const parsed = new LRUCache<string, PathPattern>(atMost(20_000));

/** Parses a path in which `pathProblem` found no problem. */
export function parsePath(path: string): PathPattern {
  const known = parsed.get(path) ?? parse(path);
  parsed.set(path, known);
  return known;
}

function parse(path: string): PathPattern {
  const open = path.endsWith('/*');
  const body = open ? path.slice(0, -2) : path;
  // "/" is one empty segment, the open "/*" is none: "/*" answers "/" and all below it.
  const segments = body === '' ? [] : body.slice(1).split('/').map(parseSegment);
  return { path, segments, open };
}

function parseSegment(text: string): Segment {
  return text.startsWith(':') ? { kind: 'param' } : { kind: 'text', text, folded: text.toLowerCase() };
}

/** Whether the path of a request (no query string) matches the pattern; case matters, as in the dispatch table. */
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

/** Whether some request path matches both. */
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
  if (a.kind === 'text') return b.kind === 'text' ? a.folded === b.folded : a.text !== '';
  return b.kind === 'param' || b.text !== '';
}

/** Whether every request path that matches `b` matches `a`. */
export function covers(a: PathPattern, b: PathPattern): boolean {
  if (a.open) {
    const shortest = b.open ? b.segments.length : b.segments.length - 1;
    if (shortest < a.segments.length) return false;
  } else if (b.open || a.segments.length !== b.segments.length) return false;
  return a.segments.every((segment, index) => {
    const other = b.segments[index];
    if (other === undefined) return false;
    if (segment.kind === 'text') return other.kind === 'text' && other.folded === segment.folded;
    return other.kind === 'param' || other.text !== '';
  });
}

/**
 * Which of two overlapping paths the dispatch table picks for a request that matches both: below 0 the first, above 0 the
 * second, 0 if they are the same. The first segment that differs decides: text before `:param` before `/*`.
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
