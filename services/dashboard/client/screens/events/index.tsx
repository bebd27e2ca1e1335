/** The custom events of a website, one of them opened, and the links that led out of it. */
import { useAddress } from '../../address.ts';
import { AllEvents } from './all-events.tsx';
import { OneEvent } from './one-event.tsx';

/** The address names the event that is open. */
export function Events() {
  const { event } = useAddress().parameters;
  return event ? <OneEvent key={event} name={event} /> : <AllEvents />;
}
