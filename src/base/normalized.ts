/**
 * Returns a text in a normal form of Unicode. Sorting a run of combining marks takes quadratic time, so a run keeps its
 * first 30, more than any language writes.
 */
export const normalized = (text: string, form: 'NFKC' | 'NFKD'): string =>
  text.replace(/(\p{M}{30})\p{M}+/gu, '$1').normalize(form);
