/** The document of a share's page: the same for all of them, but for what it tells its script of the share. */
import { readFileSync } from 'node:fs';
import type { ShownShare } from '../../shared/shares/shown-share.ts';

/** What the script is told: a share without a password, one that asks for it, or that there is none. */
export type SharePageState = { readonly share: ShownShare } | 'locked' | 'missing';

/** The bytes of the document that tells this. */
export type SharePage = (state: SharePageState) => Uint8Array;

/** Where the built document tells it: of itself it shows that there is no share. */
const PLACE = 'data-share="&quot;missing&quot;"';

/** Reads the built document. @throws Error when it was not built, or has no place for what it tells */
export function readSharePage(file: string): SharePage {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`${file} is missing: npm run build creates it`, { cause });
  }
  const [before, after, ...more] = text.split(PLACE);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`${file} has no place for what it shows: npm run build creates it anew`);
  }
  return (state) => Buffer.from(`${before}data-share="${escaped(JSON.stringify(state))}"${after}`);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
