/** The signals by which a browser asks not to be tracked, honoured where the website says so (contract.md section 9). */
import type { Website } from '../../shared/model/website.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** `DNT: 1` (W3C Tracking Preference Expression) and `Sec-GPC: 1` (W3C Global Privacy Control). */
const SIGNALS = ['dnt', 'sec-gpc'] as const;

/** Whether a request carries a signal. */
export function asksForPrivacy(headers: Headers): boolean {
  return SIGNALS.some((name) => headers[name] === '1');
}

/** Whether the website stores no events of visitors with such a signal; null: the organization, which has no such setting. */
export function honorsPrivacySignals(website: Pick<Website, 'settings'> | null): boolean {
  return website?.settings.honorPrivacySignals === true;
}
