/** Stands in for a screen that threw: a fault of the page itself must not leave an empty one. */
import { Component, type ComponentChildren } from 'preact';
import { reload } from '../address.ts';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { texts } from '../texts/texts.ts';

export class Guarded extends Component<{ children: ComponentChildren }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  override componentDidCatch(): void {
    this.setState({ hasFailed: true });
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    const t = texts.value.states;
    return (
      <Notice kind="bad">
        <strong>{t.failed}</strong>
        <Button icon="refresh-cw" onClick={reload}>
          {t.reload}
        </Button>
      </Notice>
    );
  }
}
