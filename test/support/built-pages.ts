/** A folder of built pages as small as one can be: a document, and a file of each kind, with their compressed forms. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** The one script, which says that it ran. */
const SCRIPT = "document.documentElement.dataset.ran = 'yes';\n";

/** Texts by name; `scriptName` is that of the script that the document loads. */
export function pageTexts(scriptName = 'app.0a1b2c3d.js'): Readonly<Record<string, string>> {
  return {
    'document.html': `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Pages</title>
<link rel="icon" href="/dashboard/icon.0a1b2c3d.svg">
<link rel="stylesheet" href="/dashboard/app.5e6f7a8b.css">
<script type="module" src="/dashboard/${scriptName}"></script></head>
<body><p>${'The same words again and again. '.repeat(50)}</p></body></html>
`,
    [scriptName]: SCRIPT.repeat(20),
    'app.5e6f7a8b.css': 'p { margin: 0; }\n'.repeat(20),
    'icon.0a1b2c3d.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>\n',
    'words.Ab_-Cd12.json': '{"hello":"Hallo"}\n',
    'app.webmanifest': '{"name":"Pages"}\n',
    'licences.txt': 'None.\n',
  };
}

/** Files that no build compresses. */
const BYTES: Readonly<Record<string, Buffer>> = {
  'touch.9f8e7d6c.png': Buffer.from('89504e470d0a1a0a', 'hex'),
  'favicon.ico': Buffer.from('00000100', 'hex'),
  'sans.1234abcd.woff2': Buffer.from('774f4632', 'hex'),
};

/** Fills `folder`, which is there. */
export function writePages(folder: string, texts: Readonly<Record<string, string>> = pageTexts()): void {
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text));
  }
  for (const [name, bytes] of Object.entries(BYTES)) writeFileSync(join(folder, name), bytes);
}
