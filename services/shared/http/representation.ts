/** Reads the request header that chooses how an answer is encoded: compressed or plain (RFC 9110, 12.5.3). */
import { LRUCache } from 'lru-cache';
import { atMost } from '../caches/at-most.ts';

/** The encodings that answers may have, the better one first. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Headers come in few spellings; each is parsed once. */
const REMEMBERED = 200;
const known = new LRUCache<string, readonly Coding[]>(atMost(REMEMBERED));

/**
 * The encoding among `made` that an `Accept-Encoding` prefers, br on a tie. Null means plain bytes: the safe answer without
 * the header, and the only one left when it admits nothing that we have.
 */
export function codingFor(header: string | undefined, made: readonly Coding[] = CODINGS): Coding | null {
  if (header === undefined || header === '') return null;
  let preferred = known.get(header);
  if (preferred === undefined) {
    preferred = readCodings(header);
    known.set(header, preferred);
  }
  for (const coding of preferred) if (made.includes(coding)) return coding;
  return null;
}

/** The encodings that it does not rank below plain bytes, the preferred one first. */
function readCodings(header: string): Coding[] {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weightOf(parameters));
  }
  const weightOfCoding = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0;
  // A stated weight of plain bytes counts; otherwise they rank below everything stated.
  const least = weights.get('identity') ?? 0;
  return CODINGS.filter((coding) => weightOfCoding(coding) > 0 && weightOfCoding(coding) >= least).sort(
    (one, other) => weightOfCoding(other) - weightOfCoding(one),
  );
}

/** 1 without a `q`; 0 for an invalid weight, so that an unrequested encoding is never chosen. */
function weightOf(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
  if (text === undefined) return 1;
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
