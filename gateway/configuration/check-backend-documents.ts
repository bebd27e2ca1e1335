/** Checks `openapi` of serviceEndpoints: what backends of the platform's own say of themselves. */
import { isAbsolute } from 'node:path';
import { pointerOf, SchemaFault } from '../../plugins/request-schema/schema-fault.ts';
import type { ServiceEndpoint } from '../../services/shared/plans/service-endpoint.ts';
import { type BackendDocument, readBackendDocument } from './backend-document.ts';
import type { Cursor } from './cursor.ts';

/** The documents by the name of the service; the path of each file is added to `files`, null: none is read. */
export function checkBackendDocuments(
  cursor: Cursor,
  services: ReadonlyMap<string, ServiceEndpoint>,
  files: Set<string> | null,
): Map<string, BackendDocument> {
  const found = new Map<string, BackendDocument>();
  for (const [name, { audience }] of services) {
    const at = cursor.at(name).at('openapi');
    if (at.value === undefined) continue;
    const document = checkDocument(at, audience !== null, files);
    if (document !== null) found.set(name, document);
  }
  return found;
}

function checkDocument(at: Cursor, isOwn: boolean, files: Set<string> | null): BackendDocument | null {
  const { value: file } = at;
  if (isOwn) {
    at.report("has no place at one of Tidegate's own services, which describe themselves", {
      candidates: [],
    });
    return null;
  }
  if (typeof file !== 'string' || !isAbsolute(file)) {
    at.report('is not the absolute path of a file', {
      allowed: ['/etc/tidegate/orders.yml'],
      candidates: [],
    });
    return null;
  }
  if (files === null) return null;
  files.add(file);
  try {
    return readBackendDocument(file);
  } catch (fault) {
    if (!(fault instanceof SchemaFault)) throw fault;
    const place = fault.steps.length === 0 ? '' : `${pointerOf(fault.steps)}: `;
    at.report(`${file}: ${place}${fault.message}`, { candidates: [] });
    return null;
  }
}
