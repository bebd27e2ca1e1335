/** A box to tick, or one of several to choose, with a hint of its own. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface CheckProps {
  readonly label: ComponentChildren;
  readonly hint?: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  /** The name of its group makes it one of several of which one is chosen. */
  readonly group?: string;
}

export function Check({ label, hint, isChecked, onChange, group }: CheckProps) {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type={group === undefined ? 'checkbox' : 'radio'}
        name={group}
        checked={isChecked}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
