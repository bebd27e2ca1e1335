/** The datasets about visitors' devices and settings, in the order that clients see. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { browserName } from './browser-name.ts';
import { browsers } from './browsers.ts';
import { deviceTypes } from './device-types.ts';
import { language } from './language.ts';
import { osName } from './os-name.ts';
import { osVersions } from './os-versions.ts';
import { screenResolutions } from './screen-resolutions.ts';
import { timezone } from './timezone.ts';

export const devicesDatasets: readonly Dataset[] = [
  browserName,
  osName,
  deviceTypes,
  screenResolutions,
  timezone,
  language,
  browsers,
  osVersions,
];
