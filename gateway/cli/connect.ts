/** Asks the backends of a checked configuration whether they answer where it says, for `tidegate check --connect`. */
import { askBackend } from '../../services/shared/http/ask-backend.ts';
import type { ServiceEndpoint } from '../../services/shared/plans/service-endpoint.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Fault } from '../configuration/faults.ts';
import { CONFIGURATION_FILES } from '../configuration/load-configuration.ts';
import { UNSTARTED_SERVICE_URLS } from '../process/reload/configuration-variables.ts';

/** How long each address may take, in milliseconds. */
const WITHIN_MS = 5_000;

/** One address and what it answered. */
export interface AskedAddress {
  readonly service: string;
  readonly url: string;
  readonly path: string;
  /** Null: no answer came. */
  readonly status: number | null;
}

export interface Connections {
  readonly asked: readonly AskedAddress[];
  /** Services that start with the gateway, on ports that nobody knows yet. */
  readonly unstarted: readonly string[];
  /** What keeps the gateway from being ready, or is wrong in the file. */
  readonly faults: readonly Fault[];
  /** Optional backends that are down. */
  readonly warnings: readonly Fault[];
}

/** Asks all addresses concurrently; takes five seconds at most. */
export async function connectBackends(configuration: Configuration): Promise<Connections> {
  const placeholders = Object.values(UNSTARTED_SERVICE_URLS);
  const unstarted: string[] = [];
  const faults: Fault[] = [];
  const warnings: Fault[] = [];
  const asked: Promise<AskedAddress>[] = [];
  for (const [name, service] of Object.entries(configuration.serviceEndpoints)) {
    if (service.urls.some((url) => placeholders.includes(url))) unstarted.push(name);
    else for (const url of service.urls) asked.push(ask(name, service, url));
  }

  async function ask(service: string, endpoint: ServiceEndpoint, url: string): Promise<AskedAddress> {
    const { path, status, fault } = await askBackend(url, endpoint, WITHIN_MS);
    if (fault !== null) {
      const isRefused = status !== null && status >= 400 && status < 500;
      if (isRefused) faults.push(wrongPath(service, url, path, status));
      else (endpoint.required ? faults : warnings).push(down(service, fault));
    }
    return { service, url, path, status };
  }

  return { asked: await Promise.all(asked), unstarted, faults, warnings };
}

const [FILE] = CONFIGURATION_FILES;

/** It is up, but would never count as healthy. */
function wrongPath(service: string, url: string, path: string, status: number): Fault {
  return {
    file: FILE,
    path: `serviceEndpoints.${service}.healthCheck.path`,
    came: path,
    allowed: ['a path that answers 2xx without a credential'],
    text: `${url}${path} answered ${status}`,
  };
}

function down(service: string, fault: Error): Fault {
  return { file: FILE, path: `serviceEndpoints.${service}`, allowed: [], text: reasonOf(fault) };
}

/** Node says why several attempts failed in a list of faults, whose own message is empty. */
function reasonOf(fault: Error): string {
  const each = fault instanceof AggregateError ? fault.errors.map((one: Error) => one.message) : [];
  return `is not ready: ${fault.message || each.join(', ') || fault.name}`;
}
