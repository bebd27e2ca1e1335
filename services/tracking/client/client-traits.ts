/** What a request tells of the client that sent it, read once for all of its events; nothing of it names a person. */

/** Browser, operating system and kind of device; null where the client does not tell. */
export interface Device {
  readonly browser_name: string | null;
  readonly browser_version: string | null;
  readonly os_name: string | null;
  readonly os_version: string | null;
  readonly device_type: DeviceType | null;
}

/** Kinds of device. */
export type DeviceType = 'desktop' | 'mobile' | 'tablet' | 'tv';

/** Where on earth, as far as a trusted proxy tells. */
export interface Place {
  /** ISO 3166-1 alpha-2, in upper case. */
  readonly country: string | null;
  readonly region: string | null;
  readonly city: string | null;
}

/** A user agent with its client hints, judged. */
export interface Agent {
  readonly device: Device;
  /** Whether it declares itself a crawler. */
  readonly isCrawler: boolean;
}

/** The client of one request. */
export interface ClientTraits extends Agent {
  readonly place: Place;
  /** Whether the request carries neither key nor session: such requests come from visitors, others from servers too. */
  readonly isKeyless: boolean;
  /**
   * Address and agent, by which a visitor without id is told from others for a day. Only its salted hash is ever stored,
   * and it is in no log.
   */
  readonly trace: string;
}

export const NO_DEVICE: Device = {
  browser_name: null,
  browser_version: null,
  os_name: null,
  os_version: null,
  device_type: null,
};

export const NO_PLACE: Place = { country: null, region: null, city: null };
