/** A moment in the organization's time zone; its exact instant stands in the element, and shows when the pointer rests on it. */
import { formatInstant } from '../texts/format.ts';

interface InstantProps {
  /** As the API writes it. */
  readonly at: string;
  /** In place of date and time, such as `3 hours ago`. */
  readonly text?: string;
}

export function Instant({ at, text }: InstantProps) {
  return (
    <time class="instant" dateTime={at} title={text === undefined ? at : `${formatInstant(at)} (${at})`}>
      {text ?? formatInstant(at)}
    </time>
  );
}
