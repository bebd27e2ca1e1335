/** Judges what a process cannot do without, before it touches anything. */
import { type Settings, SettingsError } from '../config/settings.ts';

/** What a process may need besides the defaults: whether it is there, and what a fault says of it. */
const NEEDS = {
  MONGODB_URI: {
    isSet: ({ mongodbUri }: Settings) => mongodbUri !== null,
    text: 'the database that all processes share',
  },
  SECRETS_FILE: {
    isSet: ({ secretsFile }: Settings) => secretsFile !== null,
    text: 'the secrets file that all processes share (npx tidegate secrets create FILE makes one)',
  },
  QUERY_URL: {
    isSet: ({ serviceUrls }: Settings) => serviceUrls.query.length > 0,
    text: 'where the query service listens',
  },
  TRACKING_URL: {
    isSet: ({ serviceUrls }: Settings) => serviceUrls.tracking.length > 0,
    text: 'where the tracking service listens',
  },
  RESOURCES_URL: {
    isSet: ({ serviceUrls }: Settings) => serviceUrls.resources.length > 0,
    text: 'where the resources service listens',
  },
} as const;

export type Need = keyof typeof NEEDS;

/** @throws SettingsError naming each that is missing */
export function requireSettings(settings: Settings, needs: readonly Need[]): void {
  const faults = needs
    .filter((need) => !NEEDS[need].isSet(settings))
    .map((need) => `${need} is missing: ${NEEDS[need].text}`);
  if (faults.length > 0) throw new SettingsError(faults);
}
