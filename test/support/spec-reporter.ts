/** Mocha's reporter "spec", which also tells of every test that is run once more, and why. */
import Mocha from 'mocha';

export default class SpecReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const retried: string[] = [];
    runner.on(Mocha.Runner.constants.EVENT_TEST_RETRY, (test: Mocha.Test, fault: Error) => {
      retried.push(test.fullTitle());
      process.stdout.write(`      failed, is run once more: ${test.fullTitle()}\n${fault.stack ?? fault}\n`);
    });
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      if (retried.length === 0) return;
      process.stdout.write(
        `  ${retried.length} run once more:\n${retried.map((title) => `    ${title}\n`).join('')}\n`,
      );
    });
  }
}
