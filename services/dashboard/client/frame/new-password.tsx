/** A field for a new password, with the rule that it must keep; wherever somebody sets one. */
import { Field } from '../design/field.tsx';
import { texts } from '../texts/texts.ts';
import type { Words } from '../texts/worded.ts';

interface NewPasswordProps {
  /** Absent: `Password`. */
  readonly label?: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly fault: Words | undefined;
}

export function NewPassword({ label = texts.value.words.password, ...props }: NewPasswordProps) {
  return (
    <Field
      {...props}
      label={label}
      type="password"
      autoComplete="new-password"
      hint={texts.value.entering.passwordHint}
      isRequired
    />
  );
}
