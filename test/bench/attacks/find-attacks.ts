/** Finds the attacks of the bench by their file names, so that a new one needs no entry. */
import { readdirSync } from 'node:fs';
import type { Attack } from './attack.ts';

export interface FoundAttack {
  readonly url: string;
  readonly attack: Attack;
}

/** Every module beside this one whose name ends so. */
export async function findAttacks(): Promise<FoundAttack[]> {
  const files = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.attack.js'));
  return Promise.all(
    files.sort().map(async (name) => {
      const url = new URL(name, import.meta.url).href;
      const { attack } = (await import(url)) as { attack: Attack };
      return { url, attack };
    }),
  );
}
