/** Says that a file was not made because another organization was chosen while its rows came; it outlives the screen that it was asked on. */
import { signal } from '@preact/signals';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { texts } from '../texts/texts.ts';

/** What was to be exported; null: nothing is to be said. */
const ended = signal<string | null>(null);

export function tellEnded(title: string): void {
  ended.value = title;
}

export function EndedExport() {
  if (ended.value === null) return null;
  const t = texts.value.words;
  const close = () => {
    ended.value = null;
  };
  return (
    <Dialog title={ended.value} onClose={close}>
      <p>{t.csvSwitched}</p>
      <Button onClick={close}>{t.close}</Button>
    </Dialog>
  );
}
