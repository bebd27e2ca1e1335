/** Finishes pending clean-ups and applies the provisioning file, before a process serves resources. */
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Cleanups } from '../../../services/resources/cleanup/cleanups.ts';
import { applyProvisioning } from '../../../services/resources/provisioning/apply-provisioning.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import type { Ids } from '../../../services/shared/ports/ids.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { servedSegments } from '../../configuration/served-segments.ts';
import type { OpenDocuments } from './open-documents.ts';

export interface ProvisionParts extends Pick<OpenDocuments, 'documents' | 'exclusively' | 'isShared'> {
  readonly ids: Ids;
  readonly cleanups: Pick<Cleanups, 'finishLeft'>;
  /** Null: nothing is provisioned. */
  readonly file: string | null;
  readonly configuration: Configuration;
  readonly logger: Logger;
}

/**
 * One process at a time. Pending clean-ups are finished before the file creates anything again under the same
 * identifier; without a file they may continue in the background where other processes run.
 * @throws Error that names the file when it cannot be read, or every fault in it
 */
export async function provision(parts: ProvisionParts): Promise<void> {
  const { file, cleanups, isShared, exclusively } = parts;
  if (file === null && isShared) return;
  await exclusively(async () => {
    await cleanups.finishLeft({ othersRun: isShared });
    if (file !== null) await applyFile(parts, file, parts.configuration, parts.logger);
  });
}

async function applyFile(
  ports: { readonly documents: DocumentStore; readonly ids: Ids },
  file: string,
  configuration: Configuration,
  logger: Logger,
): Promise<void> {
  const text = await readFile(file, 'utf8').catch((fault: NodeJS.ErrnoException) => {
    throw new Error(`PROVISION_FILE=${file} cannot be read (${fault.code})`, { cause: fault });
  });
  const report = await applyProvisioning(ports, {
    file,
    text,
    plans: Object.keys(configuration.plans.plans),
    scopes: configuration.scopes.ofKeys,
    servedSegments: servedSegments(configuration),
  });
  for (const warning of report.warnings) logger.warn({ file }, warning);
  logger.info(
    { applied: report.applied.length, unchanged: report.unchanged.length },
    'provisioning file applied',
  );
}
