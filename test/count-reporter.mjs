// Ends a vitest run with its ten slowest tests, how long it took, and the line that .ci/run adds up.
// MCPHOOKS_TEST_BUDGET: the seconds that the run may take; one that takes longer has failed.
const SLOWEST = 10;
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

export default class CountReporter {
  onInit() {
    this.begun = performance.now();
  }

  onTestRunEnd(modules, errors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    const took = performance.now() - this.begun;
    const failed = count('failed') + modules.filter((m) => m.errors().length > 0).length + errors.length;

    console.log(`\nThe ${SLOWEST} slowest tests:`);
    const duration = (test) => test.diagnostic()?.duration ?? 0;
    for (const test of tests.sort((a, b) => duration(b) - duration(a)).slice(0, SLOWEST))
      console.log(
        `${seconds(duration(test)).padStart(8)}  ${test.module.relativeModuleId}: ${test.fullName}`,
      );
    console.log(`${tests.length - count('skipped')} tests took ${seconds(took)}`);
    const { MCPHOOKS_TEST: more } = process.env;
    if (more !== 'long' && more !== 'all')
      console.log('MCPHOOKS_TEST=long runs the slow ones, too, and MCPHOOKS_TEST=all, as in CI, every row');

    const budget = Number(process.env.MCPHOOKS_TEST_BUDGET ?? Number.POSITIVE_INFINITY);
    const late = took > budget * 1000;
    if (late) {
      console.log(`The tests took longer than the ${budget} s that they may take (MCPHOOKS_TEST_BUDGET)`);
      process.exitCode = 1;
    }
    console.log(`${count('passed')} passed, ${failed + (late ? 1 : 0)} failed`);
  }
}
