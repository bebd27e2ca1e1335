/** The errors on a website: all of them, or those of one message. */
import { useAddress } from '../../address.ts';
import { AllErrors } from './all-errors.tsx';
import { OneError } from './one-error.tsx';

/** The address names the message that is open. */
export function Errors() {
  const { message } = useAddress().parameters;
  return message ? <OneError key={message} message={message} /> : <AllErrors />;
}
