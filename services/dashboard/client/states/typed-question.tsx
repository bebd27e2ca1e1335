/** Asks before something that has no way back: what goes with it, and its name to be typed. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Request } from '../api/answer.ts';
import { useLeft } from '../api/use-left.ts';
import { useWrite } from '../api/use-write.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Field } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { isTyped, type Named, nameToType } from '../design/typed-name.ts';
import { texts } from '../texts/texts.ts';
import { FaultNotice } from './fault-notice.tsx';

interface TypedQuestionProps {
  readonly title: string;
  /** What goes with it. */
  readonly children: ComponentChildren;
  /** What ends: its name is typed. */
  readonly of: Named;
  readonly words: {
    /** Stands before the name. */
    readonly type?: string;
    /** The field. */
    readonly typed: string;
    /** Something else was typed. */
    readonly wrong: string;
    readonly submit: string;
  };
  /** What is sent once the name is typed. */
  readonly request: Request;
  /** `isLeft`: the screen is gone meanwhile, and another one open. */
  readonly onDone: (isLeft: boolean) => void;
  readonly onClose: () => void;
  /** Loads the version that there is now, where somebody else may have changed it. */
  readonly onReload?: () => void;
}

export function TypedQuestion(props: TypedQuestionProps) {
  const { title, children, of, words, request, onDone, onClose, onReload } = props;
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const write = useWrite();
  const isLeft = useLeft();
  async function send(): Promise<void> {
    setWrong(!isTyped(typed, of));
    if (!isTyped(typed, of)) return;
    const answer = await write.send(request);
    if (answer?.ok) onDone(isLeft());
  }
  const reload =
    onReload &&
    (() => {
      write.forget();
      onReload();
    });
  return (
    <Dialog title={title} onClose={onClose} isFleeting>
      {children}
      <Form onSubmit={() => void send()} fault={write.fault}>
        {write.fault && (
          <FaultNotice fault={write.fault} again={write.fault.kind === 'changed' ? reload : undefined} />
        )}
        <p>
          {words.type}{' '}
          <strong class="mono">
            <bdi>{nameToType(of)}</bdi>
          </strong>
        </p>
        <Field
          label={words.typed}
          value={typed}
          onInput={(value) => {
            setTyped(value);
            setWrong(false);
          }}
          fault={isWrong ? words.wrong : undefined}
          autoFocus
        />
        <div class="row">
          <Button kind="danger" icon="trash-2" type="submit" isBusy={write.isSending}>
            {words.submit}
          </Button>
          <Button onClick={onClose}>{texts.value.words.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
