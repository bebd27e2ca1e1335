/** The settings of tracing: where spans go, and of how many requests. */
import { define, type SettingDefinition, serverUrl, share } from './setting-schemas.ts';

const collector = serverUrl(['http:', 'https:'], 'http://collector:4318').transform(
  (url) => url?.replace(/\/+$/, '') ?? null,
);

/** Settings by their names in the environment. */
export const TRACING_SETTINGS = {
  TRACING_URL: define(
    collector,
    null,
    'Collector of OpenTelemetry that takes OTLP over HTTP (docs/tracing.md), such as `http://collector:4318`; unset: tracing is off.',
  ),
  TRACING_SAMPLE: define(
    share,
    '0.01',
    'Share of the requests that are traced, 0 to 1, where their senders do not decide.',
  ),
} as const;

export interface TracingSettings {
  /** Without a slash at its end; null: tracing is off. */
  readonly url: string | null;
  /** From 0 to 1. */
  readonly sample: number;
}

type Read = <T>(name: keyof typeof TRACING_SETTINGS, definition: SettingDefinition<T>) => T;

/** The settings of tracing, each read by `read`. */
export function tracingSettings(read: Read): TracingSettings {
  return {
    url: read('TRACING_URL', TRACING_SETTINGS.TRACING_URL),
    sample: read('TRACING_SAMPLE', TRACING_SETTINGS.TRACING_SAMPLE),
  };
}
