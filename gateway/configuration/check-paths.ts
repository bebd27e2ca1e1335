/** The paths an apiEndpoint may have: only those that the dispatch table compiles, so that no request matches unexpectedly. */
import type { Cursor } from './cursor.ts';
import { shown } from './faults.ts';

const ALLOWED = ['/exact/path', '/with/:parameter', '/and/below/*'];
const TEXT = /^[A-Za-z0-9._~-]+$/;
const PARAMETER = /^:[A-Za-z_][A-Za-z0-9_]*$/;

/** Paths that the gateway answers itself, uncounted, before it looks for an endpoint. */
export const OWN_PATHS = ['/health', '/health/ready'];

/** The path at `cursor`, or null after a fault. */
export function checkPath(cursor: Cursor): string | null {
  const path = cursor.value;
  const problem = typeof path === 'string' ? pathProblem(path) : 'is not a valid path';
  if (problem === null) return path as string;
  cursor.report(`${shown(path)} ${problem}`, { allowed: ALLOWED, candidates: [] });
  return null;
}

/** What is wrong with a path, or null. */
export function pathProblem(path: string): string | null {
  if (!path.startsWith('/')) return 'does not begin with "/"';
  if (path === '/' || path === '/*') return null;
  if (OWN_PATHS.includes(path.toLowerCase())) return 'is answered by the gateway itself';
  if (/%2f|%5c/i.test(path)) return 'has an encoded slash, which the gateway refuses in every request';
  if (path.includes('%')) return 'has a percent-encoding; paths are compared as received';
  if (path.endsWith('/')) return 'ends in "/"; requests are matched without it';
  if (path.includes('//')) return 'has an empty segment';
  const segments = path.slice(1).split('/');
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    return 'has a dot segment, which the gateway refuses in every request';
  }
  const body = segments.at(-1) === '*' ? segments.slice(0, -1) : segments;
  if (body.some((segment) => segment.includes('*')))
    return 'has "*" before the end; it must be the whole last segment';
  const wrong = body.find((segment) => !(segment.startsWith(':') ? PARAMETER : TEXT).test(segment));
  if (wrong !== undefined) {
    return wrong.startsWith(':')
      ? `has the parameter "${wrong}", which must fill a segment and be a name`
      : `has "${wrong}", where only letters, digits and . _ ~ - are allowed (use pathRegex for a pattern)`;
  }
  const parameters = body.filter((segment) => segment.startsWith(':'));
  const twice = parameters.find((name, index) => parameters.indexOf(name) !== index);
  return twice === undefined ? null : `has the parameter "${twice}" twice`;
}

/** The source of a regular expression at `cursor`, or null after a fault. */
export function checkRegex(cursor: Cursor): string | null {
  const source = cursor.value;
  if (typeof source !== 'string' || source === '') {
    cursor.report(`${shown(source)} is not a regular expression`, {
      allowed: ['text of a regular expression'],
      candidates: [],
    });
    return null;
  }
  try {
    new RegExp(source);
    return source;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    cursor.report(`invalid regular expression: ${reason}`, { candidates: [] });
    return null;
  }
}
