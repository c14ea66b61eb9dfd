/** Version of node and kind of machine for which this process makes code caches of V8, and whose caches it can use. */
export const MADE_FOR = `${process.version}-${process.platform}-${process.arch}`;
