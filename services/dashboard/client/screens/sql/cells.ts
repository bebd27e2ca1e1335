/** Values of an answer as people read them, and as a file has them. */
import { formatNumber } from '../../texts/format.ts';

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value);
}
