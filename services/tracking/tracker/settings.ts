/** What the page says of its tracker, in attributes of the script element. */

export interface TrackerSettings {
  /** Origin of the API, and a path before its routes where there is one; no slash at the end. */
  readonly apiUrl: string;
  /** The website. */
  readonly clientId: string;
  /** Whether the fragment is part of the page's address. */
  readonly usesHash: boolean;
}

/** The settings of a script element; null when it names no website. @throws TypeError when its addresses are none */
export function readSettings({ src, dataset }: HTMLScriptElement): TrackerSettings | null {
  const { clientId, apiUrl, hash } = dataset;
  if (!clientId) return null;
  return {
    apiUrl: (apiUrl || new URL(src).origin).replace(/\/$/, ''),
    clientId,
    usesHash: hash !== undefined,
  };
}

/** Whether the visitor asked, by Do Not Track or Global Privacy Control, to be left alone. */
export function wantsPrivacy(browser: Navigator & { globalPrivacyControl?: boolean }): boolean {
  return browser.doNotTrack === '1' || !!browser.globalPrivacyControl;
}
