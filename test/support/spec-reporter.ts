/** Mocha's reporter "spec", which lets no run go on after its end. */
import Mocha from 'mocha';
import { endThisProcess } from './run/end-of-run.ts';

export default class SpecReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, endThisProcess);
  }
}
