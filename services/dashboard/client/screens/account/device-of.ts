/** What a session's device is called, by what it said of itself. */
import type { OwnSession } from '../../api/wire.ts';

type Agent = OwnSession['agent'];

interface DeviceWords {
  readonly on: (browser: string, system: string) => string;
  readonly unknownDevice: string;
}

/** Browser and system, as far as they are known; else the start of the user agent, or that it is unknown. */
export function deviceOf(agent: Agent, { on, unknownDevice }: DeviceWords): string {
  if (agent === null) return unknownDevice;
  const { browser, os, text } = agent;
  if (browser !== null && os !== null) return on(browser, os);
  return browser ?? os ?? (text.slice(0, 80) || unknownDevice);
}

/** The icon of its kind. */
export function iconOf(agent: Agent): 'smartphone' | 'monitor' {
  return agent?.deviceType === 'mobile' || agent?.deviceType === 'tablet' ? 'smartphone' : 'monitor';
}
