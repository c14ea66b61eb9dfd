/** Runs `act`; returns undefined when it throws, whatever the error. For what may fail without anyone's notice. */
export function quietly<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
