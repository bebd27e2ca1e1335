/** Bundles the tracker's compiled modules into one classic script, so that a page needs one request and no module support. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minify } from 'terser';

const IMPORT = /^import\s*\{[^}]*\}\s*from\s*'\.\/([a-z-]+)\.js';\n/gm;
const DECLARATION = /^(?:export )?(?:async )?(?:const|let|var|function|class) (\w+)/gm;

/**
 * The script of the modules in `folder` that `main.js` needs: one immediately called function, nothing global.
 * @throws Error when two modules declare one name, or something of a module is left
 */
export async function buildTracker(folder: string): Promise<string> {
  const modules = new Map<string, string>();
  const take = (name: string): void => {
    if (modules.has(name)) return;
    const text = readFileSync(join(folder, `${name}.js`), 'utf8');
    modules.set(name, '');
    for (const [, imported = ''] of text.matchAll(IMPORT)) take(imported);
    // A module's imports come before it.
    modules.delete(name);
    modules.set(name, text.replace(IMPORT, ''));
  };
  take('main');
  const declared = [...modules.values()].flatMap((text) =>
    [...text.matchAll(DECLARATION)].map(([, name]) => name),
  );
  const twice = declared.find((name, index) => declared.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two modules of the tracker declare ${twice}`);
  const body = [...modules.values()].join('\n').replace(/^export (?:\{\};\n)?/gm, '');
  const { code } = await minify(`(() => {\n'use strict';\n${body}\n})();`, {
    ecma: 2020,
    compress: { passes: 3, hoist_funs: true },
    format: { ascii_only: true },
  });
  if (!code || /\b(?:import|export)\b/.test(code)) throw new Error('the tracker still holds module syntax');
  return `${code}\n`;
}
