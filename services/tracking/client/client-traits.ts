/** What a request reveals about its client, read once for all of its events; none of it names a person. */

/** Browser, operating system and kind of device; null where unknown. */
export interface Device {
  readonly browser_name: string | null;
  readonly browser_version: string | null;
  readonly os_name: string | null;
  readonly os_version: string | null;
  readonly device_type: DeviceType | null;
}

/** Kinds of device. */
export type DeviceType = 'desktop' | 'mobile' | 'tablet' | 'tv';

/** The place, as far as a trusted proxy reports it. */
export interface Place {
  /** ISO 3166-1 alpha-2, in upper case. */
  readonly country: string | null;
  readonly region: string | null;
  readonly city: string | null;
}

/** A parsed user agent with its client hints. */
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
   * Address and agent, which distinguish a visitor without id from others for a day. Only its salted hash is ever stored,
   * and it is never logged.
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
