/** The page's settings for its tracker, in attributes of the script element. */

export interface TrackerSettings {
  /** Origin of the API and, if there is one, the path before its routes; no slash at the end. */
  readonly apiUrl: string;
  /** The website. */
  readonly clientId: string;
  /** Whether the fragment is part of the page's address. */
  readonly usesHash: boolean;
}

/** The settings of a script element; null when it names no website. @throws TypeError when one of its addresses is invalid */
export function readSettings({ src, dataset }: HTMLScriptElement): TrackerSettings | null {
  const { clientId, apiUrl, hash } = dataset;
  if (!clientId) return null;
  return {
    apiUrl: (apiUrl || new URL(src).origin).replace(/\/$/, ''),
    clientId,
    usesHash: hash !== undefined,
  };
}

/** Whether the visitor asked, by Do Not Track or Global Privacy Control, not to be tracked. */
export function wantsPrivacy(browser: Navigator & { globalPrivacyControl?: boolean }): boolean {
  return browser.doNotTrack === '1' || !!browser.globalPrivacyControl;
}
