/** Reads the scopes of a configuration directory alone, for commands that need nothing else of it. */
import path from 'node:path';
import { environmentOfProcess } from '../../config/settings.ts';
import type { ScopeCatalogue } from '../../services/shared/access/scope-catalogue.ts';
import { checkScopeCatalogue } from './check-scopes.ts';
import { Cursor } from './cursor.ts';
import type { Fault } from './faults.ts';
import { readWithIncludes } from './include.ts';
import { CONFIGURATION_FILES } from './load-configuration.ts';
import { SecretTexts } from './secret-texts.ts';
import { Variables } from './variables.ts';

/** The scopes that gateway.config.yml lists; null when it cannot be read, or has a fault in them. */
export async function loadScopes(directory: string): Promise<ScopeCatalogue | null> {
  const source = await readWithIncludes('gateway.config.yml', {
    directory: path.resolve(directory),
    variables: new Variables({}, environmentOfProcess(), new SecretTexts()),
    // Those of other parts, whose variables only a server knows.
    faults: [],
    roots: CONFIGURATION_FILES,
    included: new Set(),
  });
  if (source === null) return null;
  const faults: Fault[] = [];
  const catalogue = checkScopeCatalogue(Cursor.of(source, faults));
  return faults.length > 0 ? null : catalogue;
}
