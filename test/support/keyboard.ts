/** Takes a journey through the dashboard by keyboard alone, as somebody does who has no mouse and must see where they are. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { type Dashboard, OWNER, type Visitor } from './dashboard.ts';
import { eventually } from './eventually.ts';

/** Presses of Tab until a control must have been reached: more than any screen has stops. */
const MOST_STOPS = 250;
/** Presses of an arrow until an option must have been reached. */
const MOST_OPTIONS = 120;

/** A stop of Tab: what has the focus, and why nobody sees that it has; empty when all is well. */
interface Stop {
  readonly name: string;
  readonly fault: string;
  readonly isTarget: boolean;
}

/** A function of an element that runs in the page; its text, as the types of this project know no documents. */
const inPage = <Result>(body: string) => new Function('target', body) as (target: unknown) => Result;

/** Tells of the control that is looked for, or of any. The body has the focus where the browser's own controls would. */
const STOP = inPage<Stop>(`
  const active = document.activeElement;
  const text = active.getAttribute('aria-label') ?? active.labels?.[0]?.textContent ?? active.textContent;
  const name = active === document.body ? 'the end of the page' : active.localName + ' “' + text.trim().slice(0, 50) + '”';
  const { outlineStyle, outlineWidth } = getComputedStyle(active);
  const { top, bottom, left, right, width, height } = active.getBoundingClientRect();
  const faults = {
    'has no outline': outlineStyle === 'none' || parseFloat(outlineWidth) < 2,
    'has no size': width < 2 || height < 2,
    'is beside the window': bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth,
  };
  const fault = active === document.body ? '' : Object.keys(faults).filter((each) => faults[each]).join(', ');
  return { name, fault, isTarget: active === target };`);
/** Whether the element itself has the focus, or what lies in it. */
const HAS_FOCUS = inPage<boolean>('return target.contains(document.activeElement)');
/** Notes the control that has the focus; in `window`, so that a page that is loaded anew knows none. */
const NOTE = 'void (window.metByKeyboard ??= new Set()).add(document.activeElement)';
/**
 * Controls in sight that were not met. Of radio buttons one is a stop, of widgets whose controls share a stop (tabs, points of a chart) the one
 * that says so; a dialog that is open is all there is.
 */
const UNMET = `[...(document.querySelector('dialog[open]') ?? document).querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
  .filter((each) => each.tabIndex >= 0 && !each.disabled && each.type !== 'radio' && each.checkVisibility({ visibilityProperty: true }))
  .filter((each) => !(window.metByKeyboard ?? new Set()).has(each))
  .map((each) => each.localName + ' “' + (each.getAttribute('aria-label') ?? each.textContent).trim().slice(0, 50) + '”')`;
const CHOSEN = inPage<string>('return target.selectedOptions[0].text');

export interface Keyboard {
  readonly page: Page;
  /** Presses Tab, or Shift and Tab, until the control has the focus; every stop on the way must show that it has it. */
  to(target: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
  /** Goes to a control and presses Enter. */
  enter(target: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
  /** Goes to a box or a radio button that is reached by Tab, and presses Space. */
  tick(target: Locator): Promise<void>;
  /** Goes to a field and types in place of what it holds. */
  type(target: Locator, text: string): Promise<void>;
  /** Goes to a choice and moves by the arrow keys to the option with this text. */
  choose(target: Locator, option: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Tab comes to the end of the page, and from its beginning past every control in sight; each shows that it has the focus. */
  expectPassable(): Promise<void>;
  /** The control, or something in it, has the focus, and is seen to have it unless it is a place of the page and no control. */
  expectFocus(target: Locator): Promise<void>;
  /** Tab and Shift+Tab stay within the dialog, and Escape closes it and gives the focus back to the control that opened it. */
  expectHeld(dialog: Locator, opener: Locator): Promise<void>;
}

/** Logs in by keyboard, at a path of the dashboard; a mouse that is used from then on is a complaint of the browser. */
export async function enterByKeyboard(
  dashboard: Dashboard,
  path: string,
  { user = OWNER, visitor }: { user?: typeof OWNER; visitor?: Visitor } = {},
): Promise<{ visitor: Visitor; page: Page; keys: Keyboard }> {
  const person = visitor ?? (await dashboard.newVisitor());
  const { page } = person;
  await page.addInitScript(
    "addEventListener('pointerdown', () => console.error('a mouse was used'), { capture: true })",
  );
  await page.goto(`${dashboard.origin}/dashboard/login?next=${encodeURIComponent(path)}`);
  const keys = keyboardOf(page);
  await keys.expectFocus(page.getByLabel('Email', { exact: true }));
  await page.keyboard.type(user.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(user.password);
  await page.keyboard.press('Enter');
  await page.locator('.frame-nav').waitFor();
  await person.settled();
  return { visitor: person, page, keys };
}

export function keyboardOf(page: Page): Keyboard {
  const { keyboard } = page;
  const stopAt = (target: Locator): Promise<Stop> => target.evaluate(STOP);

  async function to(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await target.waitFor();
    const met: string[] = [];
    let turns = 0;
    while (met.length < MOST_STOPS && turns < 3) {
      await keyboard.press(key);
      let stop = await stopAt(target);
      // What is drawn meanwhile may move it for a moment.
      if (stop.fault !== '') {
        stop = await eventually(() => stopAt(target)).satisfies(({ name, fault }) =>
          expect(fault, `focus on ${name}`).to.equal(''),
        );
      }
      if (stop.isTarget) return;
      met.push(stop.name);
      if (stop.name === 'the end of the page') turns++;
    }
    throw new Error(`${key} never came to ${target}. It met: ${met.join(', ')}`);
  }

  /** Presses Tab; what is drawn meanwhile may move a stop for a moment. */
  async function next(): Promise<Stop> {
    await keyboard.press('Tab');
    const body = page.locator('body');
    return eventually(() => stopAt(body)).satisfies(({ name, fault }) =>
      expect(fault, `focus on ${name}`).to.equal(''),
    );
  }

  const isFocused = (target: Locator) => target.evaluate(HAS_FOCUS);

  return {
    page,
    to,
    async enter(target, key) {
      await to(target, key);
      await keyboard.press('Enter');
    },
    async tick(target) {
      await to(target);
      await keyboard.press('Space');
    },
    async type(target, text) {
      await to(target);
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type(text);
    },
    async choose(target, option) {
      await to(target);
      const chosen = () => target.evaluate(CHOSEN);
      await keyboard.press('Home');
      for (let pressed = 0; (await chosen()) !== option; pressed++) {
        if (pressed > MOST_OPTIONS) throw new Error(`${target} has no option “${option}”`);
        await keyboard.press('ArrowDown');
      }
    },
    press: (key) => keyboard.press(key),
    async expectPassable() {
      // A form begins in its first field, behind the navigation: then it takes a second turn.
      let unmet: string[] = [''];
      for (let turns = 0; turns < 2 && unmet.length > 0; turns++) {
        for (let stops = 0; (await next()).name !== 'the end of the page'; stops++) {
          await page.evaluate(NOTE);
          expect(stops, 'stops of a screen').to.be.below(MOST_STOPS);
        }
        unmet = await page.evaluate<string[]>(UNMET);
      }
      expect(unmet, 'controls that Tab does not come to').to.deep.equal([]);
    },
    async expectFocus(target) {
      await target.waitFor();
      await eventually(() => isFocused(target), `focus in ${target}`).equals(true);
      const isControl = 'document.activeElement.tabIndex >= 0';
      if (await page.evaluate<boolean>(isControl)) {
        await eventually(async () => (await stopAt(target)).fault, `focus on ${target}`).equals('');
      }
    },
    async expectHeld(dialog, opener) {
      await dialog.waitFor();
      await eventually(() => isFocused(dialog), 'the focus is in the dialog').equals(true);
      for (const key of ['Tab', 'Shift+Tab'] as const) {
        // Round and round: each turn may end at the browser's own controls, and begins anew in the dialog.
        let turns = 0;
        for (let stops = 0; turns < 2; stops++) {
          const before = await page.evaluate('document.activeElement === document.body');
          await keyboard.press(key);
          const { name, fault } = await stopAt(dialog);
          const isEnd = name === 'the end of the page';
          if (!isEnd) expect(await isFocused(dialog), `${key} left the dialog for ${name}`).to.equal(true);
          expect(fault, `focus on ${name}`).to.equal('');
          expect(isEnd && before, 'the dialog has a control').to.equal(false);
          if (isEnd) turns++;
          expect(stops, 'stops of a dialog').to.be.below(MOST_STOPS);
        }
      }
      await keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await this.expectFocus(opener);
    },
  };
}
