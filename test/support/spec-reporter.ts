/** Mocha's reporter "spec", which also tells of every test that is run once more, and why, and of the suites that take longest, and lets no run go on after its end. */
import Mocha from 'mocha';

const { EVENT_RUN_END, EVENT_SUITE_BEGIN, EVENT_SUITE_END, EVENT_TEST_RETRY } = Mocha.Runner.constants;
/** How many suites are told of, and from how many seconds on. */
const MOST_SUITES = 10;
const LONG_SECONDS = 10;
/** How long the process may go on once all suites have ended, in milliseconds. */
const LEFT_OPEN_MS = 15_000;

export default class SpecReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    tellRetries(runner);
    tellLongest(runner);
    endWithTheRun(runner);
  }
}

function tellRetries(runner: Mocha.Runner): void {
  const retried: string[] = [];
  runner.on(EVENT_TEST_RETRY, (test: Mocha.Test, fault: Error) => {
    retried.push(test.fullTitle());
    process.stdout.write(`      failed, is run once more: ${test.fullTitle()}\n${fault.stack ?? fault}\n`);
  });
  runner.once(EVENT_RUN_END, () => {
    if (retried.length > 0) tell(`${retried.length} run once more`, retried);
  });
}

function tellLongest(runner: Mocha.Runner): void {
  const suites: { readonly title: string; readonly seconds: number }[] = [];
  let began = 0;
  const isOutermost = (suite: Mocha.Suite) => suite.parent?.root === true;
  runner.on(EVENT_SUITE_BEGIN, (suite) => {
    if (isOutermost(suite)) began = performance.now();
  });
  runner.on(EVENT_SUITE_END, (suite) => {
    if (isOutermost(suite)) suites.push({ title: suite.title, seconds: (performance.now() - began) / 1_000 });
  });
  runner.once(EVENT_RUN_END, () => {
    const longest = suites
      .filter(({ seconds }) => seconds >= LONG_SECONDS)
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, MOST_SUITES);
    const lines = longest.map(({ title, seconds }) => `${seconds.toFixed(0).padStart(4)} s  ${title}`);
    if (lines.length > 0) tell('the suites that took longest', lines);
  });
}

/** What a failed hook left open would keep the process for ever, and whoever waits for it: it ends with a failure. */
function endWithTheRun(runner: Mocha.Runner): void {
  runner.once(EVENT_RUN_END, () => {
    const timer = setTimeout(() => {
      tell(
        'left open after the last suite, so that the process had to be ended',
        process.getActiveResourcesInfo(),
      );
      process.exit(1);
    }, LEFT_OPEN_MS);
    timer.unref();
  });
}

function tell(title: string, lines: readonly string[]): void {
  process.stdout.write(`  ${title}:\n${lines.map((line) => `    ${line}\n`).join('')}\n`);
}
