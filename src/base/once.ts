/** Returns a function that calls `make` at its first call, and returns that value at every call. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns a function that calls `make` once for each key, and returns that value at every call. What throws isn't kept. */
export function remembering<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, { value: T }>();
  return (key) => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
}

/** Like `once`, but an error is kept too, and thrown at every call. */
export function throwingAgain<T>(make: () => T): () => T {
  const made = once((): { value: T } | { error: unknown } => {
    try {
      return { value: make() };
    } catch (error) {
      return { error };
    }
  });
  return () => {
    const result = made();
    if ('error' in result) throw result.error;
    return result.value;
  };
}
