/** A field of a form: its label, a hint, and what the API said is wrong with it, tied together for every reader. */
import { useId } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import type { Words } from '../texts/worded.ts';
import { Worded } from './worded.tsx';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'date' | 'datetime-local' | 'url' | 'color';
  readonly name?: string;
  readonly hint?: string;
  readonly fault?: Words;
  readonly isOptional?: boolean;
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  /** What it must match as a whole before the form is sent. */
  readonly pattern?: string;
  readonly autoComplete?: string;
  readonly placeholder?: string;
  /** Makes it a choice of these. */
  readonly options?: readonly { readonly value: string; readonly text: string }[];
  /** Offered while typing; anything else may be typed. */
  readonly suggestions?: readonly string[];
  readonly autoFocus?: boolean;
  /** Makes it a text of several lines, this many to be seen. */
  readonly lines?: number;
}

export function Field(props: FieldProps) {
  const id = useId();
  const { label, value, onInput, type = 'text', hint, fault, options, lines } = props;
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  const shared = {
    id,
    name: props.name,
    'aria-describedby': described || undefined,
    'aria-invalid': fault ? ('true' as const) : undefined,
    required: props.isRequired,
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>
        {label} {props.isOptional && <span class="hint">({texts.value.words.optional})</span>}
      </label>
      {options ? (
        <select {...shared} value={value}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      ) : lines !== undefined ? (
        <textarea {...shared} value={value} rows={lines} maxLength={props.maxLength} spellcheck={false} />
      ) : (
        <input
          {...shared}
          ref={props.autoFocus ? focusOnce : undefined}
          // Which of them it is changes nothing of what an input takes here; the element's types tell them apart.
          type={type as 'text'}
          value={value}
          maxLength={props.maxLength}
          pattern={props.pattern}
          autocomplete={props.autoComplete ?? 'off'}
          placeholder={props.placeholder}
          spellcheck={false}
          list={props.suggestions && `${id}-list`}
        />
      )}
      {props.suggestions && (
        <datalist id={`${id}-list`}>
          {props.suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          <Worded text={fault} />
        </p>
      )}
    </div>
  );
}

function focusOnce(element: HTMLInputElement | null): void {
  element?.focus();
}
