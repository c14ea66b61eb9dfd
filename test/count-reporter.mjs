// Ends a vitest run with the line that .ci/run adds up.
export default class CountReporter {
  onTestRunEnd(modules) {
    let passed = 0;
    let failed = 0;
    for (const module of modules) {
      if (module.errors().length > 0) failed++;
      for (const test of module.children.allTests()) {
        if (test.result().state === 'passed') passed++;
        if (test.result().state === 'failed') failed++;
      }
    }
    console.log(`${passed} passed, ${failed} failed`);
  }
}
