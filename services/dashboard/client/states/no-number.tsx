/** Stands where a number would: there is none, or it did not come. */
import { texts } from '../texts/texts.ts';

export function NoNumber() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <span class="unseen">{texts.value.words.noNumber}</span>
    </>
  );
}
