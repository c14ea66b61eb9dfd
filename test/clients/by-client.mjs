/** Thrown by a scenario that needs what nobody has said of a client yet: it is reported as skipped. */
export class NothingSaid extends Error {}

/** A table by client id, in `file`, that says so where it holds nothing of a client. */
export const byClient = (file, table) =>
  new Proxy(table, {
    get(known, id) {
      if (!Object.hasOwn(known, id))
        throw new NothingSaid(`test/clients/${file} says nothing of ${String(id)}`);
      return known[id];
    },
  });
