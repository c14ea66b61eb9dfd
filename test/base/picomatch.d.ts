/** Types of the used part of picomatch 4, which ships without types. */
declare module 'picomatch' {
  interface Options {
    dot?: boolean;
    nonegate?: boolean;
    noextglob?: boolean;
    nobrace?: boolean;
    nobracket?: boolean;
  }
  const picomatch: { makeRe(glob: string, options?: Options): RegExp };
  export = picomatch;
}
