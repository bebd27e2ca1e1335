/** The pin in the document store: which configuration of the history stays in force, for every gateway, until files that differ or an operator end it. */
import {
  CONFIGURATION_PIN_ID,
  type ConfigurationPin,
  INSTALLATION,
} from '../../../services/shared/model/configuration-record.ts';
import { type DocumentStore, DuplicateError } from '../../../services/shared/ports/document-store.ts';

/** The part of the store that holds it. */
export type PinStore = Pick<DocumentStore, 'configurationPins'>;

/** Null: the files are in force. */
export function readPin({ configurationPins }: PinStore): Promise<ConfigurationPin | null> {
  return configurationPins.get(INSTALLATION, CONFIGURATION_PIN_ID);
}

/** Pins a configuration in place of whatever was pinned. */
export async function writePin(
  store: PinStore,
  pin: Pick<ConfigurationPin, 'number' | 'filesHash' | 'by'>,
): Promise<ConfigurationPin> {
  const { configurationPins } = store;
  for (;;) {
    const present = await readPin(store);
    try {
      const written = present
        ? await configurationPins.update(INSTALLATION, CONFIGURATION_PIN_ID, present.version, pin)
        : await configurationPins.insert({ id: CONFIGURATION_PIN_ID, organizationId: INSTALLATION, ...pin });
      if (written !== null) return written;
    } catch (fault) {
      if (!(fault instanceof DuplicateError)) throw fault;
    }
  }
}

/** Whether there was one. */
export function removePin({ configurationPins }: PinStore): Promise<boolean> {
  return configurationPins.remove(INSTALLATION, CONFIGURATION_PIN_ID);
}

/** Tells two pins apart; null: there is none. */
export function pinMark(pin: ConfigurationPin | null): string | null {
  return pin === null ? null : `${pin.number} ${pin.version} ${pin.createdAt}`;
}
