/** The place of what is loading, so that nothing jumps when it comes. */
import { texts } from '../texts/texts.ts';

export function Skeleton({ lines }: { lines: number }) {
  return (
    <div class="skeleton">
      <p class="unseen" role="status">
        {texts.value.states.loading}
      </p>
      {Array.from({ length: lines }, (_, line) => (
        <Placeholder key={line} />
      ))}
    </div>
  );
}

/** The place of a single number or line; what stands around it says that it loads. */
export function Placeholder() {
  return <span class="placeholder" />;
}
