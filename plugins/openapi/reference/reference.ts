/** Reads the viewer from its package and puts the page together. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createStaticAnswer, type StaticAnswer, versionOf } from '../../kit/static-answer.ts';
import { PAGE_HEADERS, REFERENCE_PATH, referencePage, START_SCRIPT } from './page.ts';

const MEDIA_TYPES = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  png: 'image/png',
} as const;

/** The page, and its assets by path. */
export interface Reference {
  readonly page: StaticAnswer;
  readonly assets: ReadonlyMap<string, StaticAnswer>;
}

let kept: Reference | null = null;

/** Reads once in a process: the viewer belongs to what is installed. @throws Error when its package is missing */
export function readReference(): Reference {
  kept ??= createReference();
  return kept;
}

function createReference(): Reference {
  const { resolve } = createRequire(import.meta.url);
  const assets = new Map<string, StaticAnswer>();
  /** The path under which these bytes are: it names their version, so that they may be kept for ever. */
  const add = (name: string, extension: keyof typeof MEDIA_TYPES, bytes: Buffer): string => {
    const path = `${REFERENCE_PATH}/${name}.${versionOf(bytes)}.${extension}`;
    const cacheControl = 'public, max-age=31536000, immutable';
    assets.set(
      path,
      createStaticAnswer(bytes, {
        mediaType: MEDIA_TYPES[extension],
        cacheControl,
        headers: ['X-Content-Type-Options', 'nosniff'],
      }),
    );
    return path;
  };
  const read = (file: string): Buffer => readFileSync(resolve(`swagger-ui-dist/${file}`));
  const page = referencePage({
    script: add('viewer', 'js', read('swagger-ui-bundle.js')),
    start: add('start', 'js', Buffer.from(START_SCRIPT)),
    style: add('viewer', 'css', read('swagger-ui.css')),
    icon: add('icon', 'png', read('favicon-32x32.png')),
  });
  return {
    page: createStaticAnswer(Buffer.from(page), {
      mediaType: 'text/html; charset=utf-8',
      cacheControl: 'no-cache',
      headers: PAGE_HEADERS,
    }),
    assets,
  };
}
