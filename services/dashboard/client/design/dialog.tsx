/** A dialog over the page: the browser keeps the focus in it, and Escape closes it. */
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
