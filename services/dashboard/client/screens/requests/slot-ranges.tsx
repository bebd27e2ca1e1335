/** Links to the ranges that counts over time are shown for; the chosen one stands in the address. */

import { addressOf, useAddress } from '../../address.ts';
import { SLOT_RANGES, type SlotRangeName } from '../../api/activity-points.ts';
import { requestsTexts } from './texts.ts';

export function SlotRanges({ chosen }: { chosen: SlotRangeName }) {
  const t = requestsTexts.value;
  const { path, parameters } = useAddress();
  return (
    <nav class="row choices screen-only" aria-label={t.range}>
      {SLOT_RANGES.map((name) => (
        <a
          key={name}
          href={addressOf(path, { ...parameters, range: name })}
          aria-current={name === chosen ? 'true' : undefined}
        >
          {t.ranges[name]}
        </a>
      ))}
    </nav>
  );
}
