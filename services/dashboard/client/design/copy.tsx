/** A text to copy as it stands, with a button that says when it is done. */
import { useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { Button } from './button.tsx';

export function Copy({ text, label }: { text: string; label: string }) {
  const [isDone, setDone] = useState(false);
  const { copy, copied } = texts.value.words;
  async function act(): Promise<void> {
    // Without the permission the text stands there to be marked by hand.
    await navigator.clipboard?.writeText(text).then(
      () => setDone(true),
      () => {},
    );
  }
  return (
    <div class="copy row">
      <pre>
        <code>{text}</code>
      </pre>
      <Button icon={isDone ? 'check' : 'copy'} onClick={() => void act()} label={`${copy}: ${label}`}>
        {isDone ? copied : copy}
      </Button>
      <span class="unseen" role="status">
        {isDone ? copied : ''}
      </span>
    </div>
  );
}
