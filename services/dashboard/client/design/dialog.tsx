/**
 * A dialog over the page: the browser keeps the focus in it, which begins in the first empty field. Escape closes it, and where
 * something was typed only when it is pressed again.
 */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { Notice } from './notice.tsx';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Absent: it cannot be closed without an answer. */
  readonly onClose?: () => void;
  /** What is typed in it is nothing that is lost, such as a search. */
  readonly isFleeting?: boolean;
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

export function Dialog({ title, children, onClose, isFleeting = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  /** What stood in each field before anybody typed there. */
  const found = useRef(new Map<TextField, string>());
  const [isAsking, ask] = useState(false);
  const id = useId();
  // At once and not after the next frame: a key that follows goes where somebody sees, or hears, that they are.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    const note = ({ target }: Event) => {
      if (isTextField(target) && !found.current.has(target)) found.current.set(target, target.value);
    };
    dialog?.addEventListener('focusin', note);
    dialog?.showModal();
    if (dialog) firstEmpty(dialog)?.focus();
    return () => {
      // While it is open, nothing outside of it takes the focus.
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      class="dialog"
      ref={element}
      aria-labelledby={id}
      onInput={() => ask(false)}
      onCancel={(event) => {
        event.preventDefault();
        if (onClose && !isAsking && !isFleeting && isTyped(found.current)) ask(true);
        else onClose?.();
      }}
      // Browsers close it themselves when Escape is pressed twice with nothing in between.
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected) return;
        if (onClose) return onClose();
        currentTarget.showModal();
        firstEmpty(currentTarget)?.focus();
      }}
    >
      <div class="inner">
        <h2 id={id}>{title}</h2>
        {isAsking && (
          <div class="asks">
            <Notice kind="warn">{texts.value.words.typedLost}</Notice>
          </div>
        )}
        {children}
      </div>
    </dialog>
  );
}

function isTextField(target: unknown): target is TextField {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

/** Whether a field that is still there has a text that it had not before. */
function isTyped(before: ReadonlyMap<TextField, string>): boolean {
  return [...before].some(
    ([field, text]) => field.isConnected && field.value !== text && field.value.trim() !== '',
  );
}

/** The field that waits to be filled; a dialog that has none leaves the focus where the browser puts it. */
function firstEmpty(dialog: HTMLDialogElement): HTMLElement | undefined {
  const fields = dialog.querySelectorAll<TextField>('input, textarea');
  return [...fields].find(({ value }) => value === '');
}
