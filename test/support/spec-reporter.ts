/** Mocha's reporter "spec", which also tells of every test that is run once more, and why, and of the suites that take longest. */
import Mocha from 'mocha';

const { EVENT_RUN_END, EVENT_SUITE_BEGIN, EVENT_SUITE_END, EVENT_TEST_RETRY } = Mocha.Runner.constants;
/** How many suites are told of, and from how many seconds on. */
const MOST_SUITES = 10;
const LONG_SECONDS = 10;

export default class SpecReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    tellRetries(runner);
    tellLongest(runner);
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

function tell(title: string, lines: readonly string[]): void {
  process.stdout.write(`  ${title}:\n${lines.map((line) => `    ${line}\n`).join('')}\n`);
}
