/** Checks that a process has its required settings, before it touches anything. */
import { type Settings, SettingsError } from '../../../config/settings.ts';

/** Settings a process may require besides those with defaults: whether each is set, and its description in an error. */
const NEEDS = {
  MONGODB_URI: {
    isSet: ({ mongodbUri }: Settings) => mongodbUri !== null,
    text: 'the database that all processes share',
  },
  SECRETS_FILE: {
    isSet: ({ secretsFile }: Settings) => secretsFile !== null,
    text: 'the secrets file that all processes share (npx tidegate secrets create FILE creates one)',
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

/** @throws SettingsError naming each missing setting */
export function requireSettings(settings: Settings, needs: readonly Need[]): void {
  const faults = needs
    .filter((need) => !NEEDS[need].isSet(settings))
    .map((need) => `${need} is missing: ${NEEDS[need].text}`);
  if (faults.length > 0) throw new SettingsError(faults);
}
