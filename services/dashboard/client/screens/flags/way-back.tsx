/** The link from one flag or group to its list. */
import { Icon } from '../../design/icon.tsx';

export function WayBack({ to, text }: { to: string; text: string }) {
  return (
    <p class="screen-only">
      <a class="way-back" href={to}>
        <Icon name="arrow-left" />
        {text}
      </a>
    </p>
  );
}
