/** Reads one view of operators. */
import { addressOf } from '../../address.ts';
import { type Read, useRead } from '../../api/use-read.ts';
import type { PlatformData, PlatformView } from '../../api/wire.ts';

/** How often what moves is asked again, in seconds. */
const EVERY_SECONDS = 10;

/** Parameters that are undefined are left out; null reads nothing. */
export function useView<View extends PlatformView>(
  view: View,
  parameters: Readonly<Record<string, string | undefined>> | null = {},
  isLive = false,
): Read<{ readonly data: PlatformData<View> }> {
  const request = parameters && { path: addressOf(`/v1/platform/${view}`, parameters) };
  return useRead<{ readonly data: PlatformData<View> }>(
    request,
    isLive ? { everySeconds: EVERY_SECONDS } : {},
  );
}
