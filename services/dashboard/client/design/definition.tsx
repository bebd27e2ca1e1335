/** What a term means, on demand: a question mark that opens a short text, which Escape and a click elsewhere close. */
import { useId } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { Icon } from './icon.tsx';

export function Definition({ term, text }: { term: string; text: string }) {
  const id = useId();
  return (
    <span class="definition">
      <button
        class="button plain"
        type="button"
        popovertarget={id}
        aria-label={texts.value.words.definition(term)}
      >
        <Icon name="circle-help" />
      </button>
      <span class="popover" id={id} popover="auto">
        {text}
      </span>
    </span>
  );
}
