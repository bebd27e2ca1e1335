/** The form of a website's settings as texts and ticks, and the change that is sent for it: only what differs. */
import type { WebsiteView } from '../../api/wire.ts';

export interface Draft {
  readonly name: string;
  readonly domain: string;
  /** One origin a line. */
  readonly allowedOrigins: string;
  readonly keylessTracking: boolean;
  readonly honorPrivacySignals: boolean;
  readonly pageviewAliases: boolean;
  /** `keylessBytesPerDay` in millions of bytes; empty: the default. */
  readonly keylessMegabytes: string;
  /** Empty: none. */
  readonly timezone: string;
  readonly isPublic: boolean;
}

/** What is ticked as long as nobody chose (docs/ingest.md, settings of a website). */
const DEFAULTS = { keylessTracking: true, honorPrivacySignals: false, pageviewAliases: true } as const;

const MEGABYTE = 1_000_000;
/** With a point or a comma before its decimals. */
const DECIMAL = /^\d+([.,]\d+)?$/;

export function draftOf({ name, domain, isPublic, settings }: WebsiteView): Draft {
  return {
    name,
    domain,
    isPublic,
    allowedOrigins: (settings.allowedOrigins ?? []).join('\n'),
    keylessTracking: settings.keylessTracking ?? DEFAULTS.keylessTracking,
    honorPrivacySignals: settings.honorPrivacySignals ?? DEFAULTS.honorPrivacySignals,
    pageviewAliases: settings.pageviewAliases ?? DEFAULTS.pageviewAliases,
    keylessMegabytes:
      settings.keylessBytesPerDay === undefined ? '' : String(settings.keylessBytesPerDay / MEGABYTE),
    timezone: settings.timezone ?? '',
  };
}

/**
 * The body of the change that turns `before` into `draft`; null when nothing differs. Null as a setting is its default. A
 * number that is none goes as it was typed: the API says what is allowed.
 */
export function changesOf(before: WebsiteView, draft: Draft): Record<string, unknown> | null {
  const was = draftOf(before);
  const differing = (Object.keys(was) as (keyof Draft)[]).filter(
    (field) => comparedOf(field, draft) !== comparedOf(field, was),
  );
  if (differing.length === 0) return null;
  const top = differing.filter(isTop).map((field) => [field, draft[field]] as const);
  const settings = differing
    .filter((field) => !isTop(field))
    .map((field) => [nameOf(field), settingOf(field, draft)] as const);
  return {
    ...Object.fromEntries(top),
    ...(settings.length > 0 && { settings: Object.fromEntries(settings) }),
  };
}

const nameOf = (field: keyof Draft) => (field === 'keylessMegabytes' ? 'keylessBytesPerDay' : field);

const isTop = (field: keyof Draft): boolean => ['name', 'domain', 'isPublic'].includes(field);

/** A field as it is compared: blank lines of a list make no difference. */
function comparedOf(field: keyof Draft, draft: Draft): string | boolean {
  return field === 'allowedOrigins' ? originsOf(draft).join('\n') : draft[field];
}

function settingOf(field: keyof Draft, draft: Draft): unknown {
  if (field === 'allowedOrigins') {
    const origins = originsOf(draft);
    return origins.length === 0 ? null : origins;
  }
  const value = draft[field];
  if (typeof value === 'boolean') return value === DEFAULTS[field as keyof typeof DEFAULTS] ? null : value;
  const text = value.trim();
  if (text === '') return null;
  return field === 'keylessMegabytes' && DECIMAL.test(text) ? bytesOf(text) : text;
}

/** Whole bytes: a fraction of one is dropped by rounding. */
const bytesOf = (megabytes: string): number => Math.round(Number(megabytes.replace(',', '.')) * MEGABYTE);

function originsOf({ allowedOrigins }: Draft): string[] {
  return allowedOrigins
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
