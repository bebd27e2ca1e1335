/** A button, or a link that looks like one. While it works it keeps the focus and takes no second click. */
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly icon?: IconName;
  readonly kind?: 'primary' | 'danger' | 'plain';
  readonly isBusy?: boolean;
  /** Makes it a link. */
  readonly href?: string;
  readonly type?: 'button' | 'submit';
  readonly onClick?: () => void;
  /** Said in place of the text, where an icon stands alone. */
  readonly label?: string;
  readonly isPressed?: boolean;
  /** The key that presses it, where single keys are on. */
  readonly shortcut?: string;
}

export function Button(props: ButtonProps) {
  const {
    children,
    icon,
    kind,
    isBusy = false,
    href,
    type = 'button',
    onClick,
    label,
    isPressed,
    shortcut,
  } = props;
  const className = `button ${kind ?? ''}`;
  const inside = (
    <>
      {icon && <Icon name={icon} />}
      {children}
    </>
  );
  if (href !== undefined) {
    return (
      <a class={className} href={href} aria-label={label}>
        {inside}
      </a>
    );
  }
  return (
    <button
      class={className}
      type={type}
      aria-disabled={isBusy || undefined}
      aria-label={label}
      aria-pressed={isPressed}
      aria-keyshortcuts={shortcut}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.();
      }}
    >
      {inside}
    </button>
  );
}
