/** The icons that the pages use, out of Lucide, as one sprite within the document: no request is made for them. */
import { readFileSync } from 'node:fs';
import { ICONS } from '../client/design/icons.ts';

/** @throws Error when Lucide has no icon of a name */
export function iconSprite(root: string, names: readonly string[] = ICONS): string {
  const symbols = names.map((name) => {
    const svg = readFileSync(`${root}node_modules/lucide-static/icons/${name}.svg`, 'utf8');
    const shapes = svg
      .replace(/^.*?<svg.*?>|<\/svg>\s*$/gs, '')
      .replace(/\s+/g, ' ')
      .trim();
    return `<symbol id="icon-${name}" viewBox="0 0 24 24">${shapes}</symbol>`;
  });
  return `<svg hidden aria-hidden="true">${symbols.join('')}</svg>`;
}
