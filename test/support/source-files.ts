/** The TypeScript files of the package with what they import, for the tests of its structure. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { PACKAGE_ROOT } from '../../config/settings.ts';

export interface SourceFile {
  /** Path from the package root, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** What it imports: packages as named, files as paths from the package root. */
  readonly imports: readonly string[];
}

/** Every TypeScript file below a folder of the package. */
export function readSources(folder: string): SourceFile[] {
  return readdirSync(join(PACKAGE_ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(PACKAGE_ROOT, folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => {
      const text = readFileSync(path, 'utf8');
      const imports = importsOf(text).map((target) =>
        target.startsWith('.') ? fromRoot(resolve(path, '..', target)) : target,
      );
      return { path: fromRoot(path), text, lines: text.split('\n').length - 1, imports };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What a file imports, as it names it: declarations, re-exports, `import()` and `require()`. */
export function importsOf(text: string): string[] {
  const declared = /^(?:import|export)[^'"]*?from ['"]([^'"]+)['"]|^import ['"]([^'"]+)['"]/gms;
  const called = /\b(?:import|require(?:\.resolve)?)\s*\(\s*['"`]([^'"`]+)['"`]/g;
  return [...text.matchAll(declared), ...text.matchAll(called)].map((match) => match[1] ?? match[2] ?? '');
}

/** The room of the gateway that a file lies in. */
export function roomOf(path: string): string | undefined {
  return /^gateway\/([^/]+)\//.exec(path)?.[1];
}

/** The files of one circle of imports, from the first to itself; empty when there is none. */
export function circleIn(files: readonly SourceFile[]): string[] {
  const importsOfPath = new Map(files.map(({ path, imports }) => [path, imports]));
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (path: string): string[] => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return [];
    way.push(path);
    for (const target of importsOfPath.get(path) ?? []) {
      const circle = visit(target);
      if (circle.length > 0) return circle;
    }
    way.pop();
    done.add(path);
    return [];
  };
  for (const { path } of files) {
    const circle = visit(path);
    if (circle.length > 0) return circle;
  }
  return [];
}

function fromRoot(path: string): string {
  return relative(PACKAGE_ROOT, path).replaceAll('\\', '/');
}

export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

/** The code alone: no comments, and no texts between quotes. */
export function withoutTexts(text: string): string {
  return withoutComments(text).replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "''");
}
