import fc from 'fast-check';

/** Any character, no half of a surrogate pair. fast-check's own unit of that kind takes a second to be made. */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10_ffff }))
  .map((code) => String.fromCodePoint(code));
