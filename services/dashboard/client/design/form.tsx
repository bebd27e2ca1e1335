/** A form: Enter sends it, and after a refusal the focus goes to the first field that is at fault. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Fault } from '../api/fault.ts';

interface FormProps {
  readonly children: ComponentChildren;
  readonly onSubmit: () => void;
  /** Why it was refused. */
  readonly fault?: Fault;
}

export function Form({ children, onSubmit, fault }: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (fault) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [fault]);
  return (
    <form
      class="stack"
      ref={element}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
