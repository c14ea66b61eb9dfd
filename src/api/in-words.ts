import { Fault, Faults } from '../messages/fault.ts';
import { faultText } from '../messages/faults.ts';

/**
 * Returns the function with readable errors: a `Fault` or `Faults` that it throws, or that its promise rejects with, has
 * its sentences as its message, and a stack that begins at the call.
 */
export function inWords<Args extends unknown[], Result>(
  act: (...args: Args) => Result,
): (...args: Args) => Result {
  const readable = (...args: Args): Result => {
    const call: { stack?: string } = {};
    Error.captureStackTrace(call, readable);
    const fail = (error: unknown): never => {
      throw worded(error, call.stack);
    };
    try {
      const result = act(...args);
      return result instanceof Promise ? (result.catch(fail) as Result) : result;
    } catch (error) {
      return fail(error);
    }
  };
  return readable;
}

/** Gives a Fault or Faults its sentences. `stack`: stack of the call, after its first line; absent: none of ours. */
function worded<T>(error: T, stack = ''): T {
  if (error instanceof Fault) error.message = faultText(error);
  else if (error instanceof Faults)
    error.message = error.faults.map((f) => `\n${worded(f).message}`).join('');
  else return error;
  error.stack = `${error.name}: ${error.message}${stack.slice(stack.search(/\n|$/))}`;
  // Node prints an uncaught error with all its enumerable properties.
  for (const key of Object.keys(error))
    if (key !== 'code') Object.defineProperty(error, key, { enumerable: false });
  return error;
}
