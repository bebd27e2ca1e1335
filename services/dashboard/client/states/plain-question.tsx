/** Asks before something is taken away that can be made again: its name, and what goes with it. */
import type { Request } from '../api/answer.ts';
import { useWrite } from '../api/use-write.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { texts } from '../texts/texts.ts';
import { FaultNotice } from './fault-notice.tsx';

interface PlainQuestionProps {
  readonly title: string;
  /** Of what ends. */
  readonly name: string;
  /** What goes with it. */
  readonly hint: string;
  readonly submit: string;
  readonly request: Request;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function PlainQuestion({ title, name, hint, submit, request, onClose, onDone }: PlainQuestionProps) {
  const write = useWrite();
  async function send(): Promise<void> {
    const answer = await write.send(request);
    // What somebody else took away in the meantime is gone all the same.
    if (answer !== null && (answer.ok || answer.fault.kind === 'missing')) onDone();
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>
      </p>
      <p>{hint}</p>
      {write.fault && <FaultNotice fault={write.fault} />}
      <div class="row">
        <Button kind="danger" icon="trash-2" isBusy={write.isSending} onClick={() => void send()}>
          {submit}
        </Button>
        <Button onClick={onClose}>{texts.value.words.cancel}</Button>
      </div>
    </Dialog>
  );
}
