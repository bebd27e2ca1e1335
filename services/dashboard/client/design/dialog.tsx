/** A dialog over the page: the browser keeps the focus in it, which begins in the first empty field, and Escape closes it. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Absent: it cannot be closed without an answer. */
  readonly onClose?: () => void;
}

export function Dialog({ title, children, onClose }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // At once and not after the next frame: a key that follows goes where somebody sees, or hears, that they are.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
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
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <div class="inner">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/** The field that waits to be filled; a dialog that has none leaves the focus where the browser puts it. */
function firstEmpty(dialog: HTMLDialogElement): HTMLElement | undefined {
  const fields = dialog.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
  return [...fields].find(({ value }) => value === '');
}
