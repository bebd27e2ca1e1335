/** Pairs of configurations that edits of the shipped files make, each with what changes between its two, worked out by hand. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { DEFAULT_CUSTOM_SQL } from '../../config/custom-sql-settings.ts';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import type { Configuration } from '../../gateway/configuration/configuration.ts';
import type { Change } from '../../gateway/configuration/diff/change.ts';
import { diffConfigurations } from '../../gateway/configuration/diff/diff-configurations.ts';
import { loadConfiguration } from '../../gateway/configuration/load-configuration.ts';
import {
  configurationVariables,
  UNSTARTED_SERVICE_URLS,
} from '../../gateway/process/reload/configuration-variables.ts';
import { createTempDirectory } from './temp-directory.ts';

const SHIPPED = join(PACKAGE_ROOT, 'config');
const FILES = { gateway: 'gateway.config.yml', plans: 'plans.yml', system: 'system.config.yml' } as const;

/** A text of a file, and what takes the place of each of its occurrences. */
export type Edit = readonly [file: keyof typeof FILES, from: string, to: string];

export interface Pair {
  readonly title: string;
  /** Of the second configuration. */
  readonly edits: readonly Edit[];
  /** Of the first one; default: it is the shipped one. */
  readonly before?: readonly Edit[];
  /** Every change as `kind subject name`, with its parts (`part: *` for any values) and dangers. */
  readonly changes: readonly (readonly [
    name: string,
    parts: readonly string[],
    dangers: readonly string[],
  ])[];
}

/** The shipped configuration with the edits. */
export async function editedConfiguration(edits: readonly Edit[]): Promise<Configuration> {
  const folder = createTempDirectory();
  try {
    cpSync(SHIPPED, folder.path, { recursive: true });
    for (const [file, from, to] of edits) {
      const path = folder.file(FILES[file]);
      const text = readFileSync(path, 'utf8');
      if (!text.includes(from)) throw new Error(`${FILES[file]} does not have "${from}"`);
      writeFileSync(path, text.replaceAll(from, to));
    }
    const variables = configurationVariables(UNSTARTED_SERVICE_URLS);
    return await loadConfiguration(folder.path, variables, DEFAULT_CUSTOM_SQL);
  } finally {
    folder.remove();
  }
}

/** A test for each pair. */
export function pairCases(pairs: readonly Pair[]): void {
  for (const { title, edits, before = [], changes } of pairs) {
    it(`tells ${title}`, async () => {
      const found = diffConfigurations(await editedConfiguration(before), await editedConfiguration(edits));
      expect(found.map(nameOf)).to.deep.equal(changes.map(([name]) => name));
      for (const [index, [, parts, dangers]] of changes.entries()) {
        expect(partsOf(found[index], parts), nameOf(found[index])).to.have.members(parts);
        expect(found[index]?.dangers, nameOf(found[index])).to.deep.equal(dangers);
      }
    });
  }
}

function nameOf(change: Change | undefined): string {
  return `${change?.kind} ${change?.subject} ${change?.name}`;
}

/** The differences as text; where the expectation ends in `*`, its values do not matter. */
function partsOf(change: Change | undefined, expected: readonly string[]): string[] {
  return (change?.differences ?? []).map(({ part, from, to }) => {
    if (expected.includes(`${part}: *`)) return `${part}: *`;
    if (from === null) return `${part}: ${to}`;
    return `${part}: ${from} → ${to ?? 'nothing'}`;
  });
}
