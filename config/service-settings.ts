/** The settings of services: where they listen, and how a gateway in their process reaches them. */
import { z } from 'zod';
import { UPSTREAM_CLIENTS, type UpstreamClient } from '../services/shared/plans/service-endpoint.ts';
import { define, type SettingDefinition, serviceUrls } from './setting-schemas.ts';

/** Settings by their names in the environment. */
export const SERVICE_SETTINGS = {
  QUERY_URL: define(
    serviceUrls,
    null,
    'Where the query service listens, such as http://127.0.0.1:4001; several addresses comma-separated, which gateways balance. Embedded: one at most, for gateways of other processes; by default none.',
  ),
  TRACKING_URL: define(serviceUrls, null, 'Where the tracking service listens; as QUERY_URL.'),
  RESOURCES_URL: define(serviceUrls, null, 'Where the resources service listens; as QUERY_URL.'),
  EMBEDDED_TRANSPORT: define(
    z.enum(['process', 'http'], 'must be process or http'),
    'process',
    'How the gateway of `npm start` reaches its services: `process` calls them; `http` asks them by connections, at QUERY_URL and the others or on free ports of 127.0.0.1.',
  ),
  UPSTREAM_CLIENT: define(
    z.enum(UPSTREAM_CLIENTS, 'must be own or undici'),
    'own',
    'What a gateway asks services and other backends with, where they are reached by HTTP without TLS: `own`, a client of its own, which takes less CPU; `undici`: the client that also carries what `own` leaves to it (docs/decisions/0032).',
  ),
} as const;

export type EmbeddedTransport = 'process' | 'http';

export interface ServiceSettings {
  /** Origins of the services by name; empty where none is set. */
  readonly serviceUrls: { readonly [Name in 'query' | 'tracking' | 'resources']: readonly string[] };
  /** How a gateway reaches the services of its own process. */
  readonly embeddedTransport: EmbeddedTransport;
  /** What a gateway asks backends with by HTTP without TLS. */
  readonly upstreamClient: UpstreamClient;
}

type Read = <T>(name: keyof typeof SERVICE_SETTINGS, definition: SettingDefinition<T>) => T;

/** The settings of services, each read by `read`. */
export function serviceSettings(read: Read): ServiceSettings {
  return {
    serviceUrls: {
      query: read('QUERY_URL', SERVICE_SETTINGS.QUERY_URL),
      tracking: read('TRACKING_URL', SERVICE_SETTINGS.TRACKING_URL),
      resources: read('RESOURCES_URL', SERVICE_SETTINGS.RESOURCES_URL),
    },
    embeddedTransport: read('EMBEDDED_TRANSPORT', SERVICE_SETTINGS.EMBEDDED_TRANSPORT),
    upstreamClient: read('UPSTREAM_CLIENT', SERVICE_SETTINGS.UPSTREAM_CLIENT),
  };
}
