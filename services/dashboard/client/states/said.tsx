/** Says what was just done. It takes the focus, as what had it may be gone with what was removed. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Notice } from '../design/notice.tsx';

export function Said({ text }: { text: string }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    element.current?.focus();
  }, [text]);
  if (text === '') return null;
  return (
    <div class="said" tabIndex={-1} ref={element}>
      <Notice kind="good">
        <bdi>{text}</bdi>
      </Notice>
    </div>
  );
}
