/** Applies PROVISION_FILE to the store: all of it or, when it has a fault, nothing (contract.md section 8). */
import type { Scope } from '../../shared/access/scopes.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { createIsReservedSlug } from '../links/reserved-slugs.ts';
import { type ExistingWebsites, entryFaults } from './entry-faults.ts';
import { planProvisioning } from './planned-entry.ts';
import { ProvisioningError, type UnplacedFault } from './provisioning-fault.ts';
import { type Provisioning, provisioningSchemaOf } from './provisioning-file.ts';
import { shapeFaults } from './shape-faults.ts';
import { storeFaults } from './store-faults.ts';
import { type WritePorts, writeEntry } from './write-entry.ts';
import { readYamlSource, type YamlSource } from './yaml-source.ts';

export interface ProvisioningText {
  /** The file as the operator named it; faults repeat it. */
  readonly file: string;
  /** Its YAML. */
  readonly text: string;
  /** Names of the existing plans. */
  readonly plans: readonly string[];
  /** Names of the scopes that a key may hold. */
  readonly scopes: readonly Scope[];
  /** The first segment of every served path: links cannot have it as their slug. */
  readonly servedSegments: readonly string[];
}

/** The result of applying a file. */
export interface ProvisioningReport {
  /** Entries that were written, such as `website/org_one/web_shop`. */
  readonly applied: readonly string[];
  /** Entries whose text has not changed since it was last applied. */
  readonly unchanged: readonly string[];
  /** Notes for the operator: entries that left the file, locks and passwords that stay. */
  readonly warnings: readonly string[];
}

/** Validates a file without any store. @throws ProvisioningError with every fault at once */
export function checkProvisioning(input: ProvisioningText): Provisioning {
  return parse(input, readYamlSource(input.file, input.text), new Map());
}

/**
 * Applies the entries whose text changed since they were last applied. Applying the same file again changes nothing.
 * @throws ProvisioningError with every fault at once, before anything is written
 */
export async function applyProvisioning(
  ports: WritePorts,
  input: ProvisioningText,
): Promise<ProvisioningReport> {
  const { documents } = ports;
  const source = readYamlSource(input.file, input.text);
  const provisioning = parse(input, source, await existingWebsites(documents));
  const plan = await planProvisioning(documents, provisioning);
  const faults = await storeFaults(documents, plan.changed);
  if (faults.length > 0) throw refusal(source, faults);

  const warnings = plan.disappeared.flatMap(disappearedText);
  for (const entry of plan.changed) warnings.push(...(await writeEntry(ports, entry)));
  return {
    applied: plan.changed.map((entry) => entry.entryId),
    unchanged: plan.unchanged.map((entry) => entry.entryId),
    warnings,
  };
}

function parse(input: ProvisioningText, source: YamlSource, existing: ExistingWebsites): Provisioning {
  if (source.faults.length > 0) throw new ProvisioningError(source.faults);
  const schema = provisioningSchemaOf({
    plans: input.plans,
    scopes: input.scopes,
    isReserved: createIsReservedSlug(() => input.servedSegments),
  });
  const { data, error } = schema.safeParse(source.value);
  const faults = entryFaults(source.value, existing);
  if (error || faults.length > 0) {
    throw refusal(source, [...(error ? shapeFaults(schema, source.value, error) : []), ...faults]);
  }
  return data;
}

function refusal(source: YamlSource, faults: readonly UnplacedFault[]): ProvisioningError {
  return new ProvisioningError(faults.map(source.place).sort((a, b) => a.line - b.line));
}

async function existingWebsites(documents: DocumentStore): Promise<ExistingWebsites> {
  const known = new Map<string, string[]>();
  for (const { id } of await documents.allOrganizations()) {
    known.set(
      id,
      (await documents.websites.all(id)).map((website) => website.id),
    );
  }
  return known;
}

function disappearedText(entryId: string): string[] {
  const [kind, organizationId, id] = entryId.split(/\/([^/]*)\/(.*)/s);
  if (kind === 'secret' || kind === 'password') return [];
  const what = kind === 'apiKey' ? 'API key' : kind;
  const of = kind === 'organization' ? '' : ` of ${organizationId}`;
  return [`the ${what} ${id}${of} is no longer in the file; it stays, remove it through the API`];
}
