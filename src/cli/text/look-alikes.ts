import { similarScript } from '../../base/mixed-letters.ts';
import { normalized } from '../../base/normalized.ts';
import { once } from '../../base/once.ts';

/** Most changed characters in a row that may look like another number of replaced ones. */
const SHORT = 3;

/** Characters that look alike and that no script tells apart: signs, and kana beside Chinese characters. */
const TWINS = [
  ...'\'\u2018\u2019\u02bc\u2032 "\u201c\u201d\u2033 -\u2010\u2011\u2012\u2013\u2212 /\u2044\u2215 .\u2024'.split(
    ' ',
  ),
  ...':\u2236\u02d0 ,\u201a !\u01c3 |\u01c0\u2223 *\u2217 ~\u223c \u00b7\u2022\u2219\u22c5\u30fb'.split(' '),
  ...'カ力 ニ二 ロ口 エ工 ト卜 タ夕 ハ八 ー一 チ千 ミ三 へヘ べベ ぺペ りリ'.split(' '),
];

const isLetter = (c: string): boolean => /[\p{L}\p{N}]/u.test(c);

const segmenter = once(() => new Intl.Segmenter());
/** Returns the texts that a reader sees as one character each. */
const seen = (text: string): string[] => [...segmenter().segment(text)].map((s) => s.segment);
const normal = (text: string): string => normalized(text, 'NFKC');

/** Returns the characters, as a reader sees them, that the replaced text has in another normal form. */
function otherForms(text: string, replaced: string): string[] {
  // Saves splitting the texts: where both are normal, no character has another form.
  if (normal(text) === text && normal(replaced) === replaced) return [];
  const forms = new Set(seen(replaced).map(normal));
  return seen(text).filter((form) => forms.has(normal(form)) && !replaced.includes(form));
}

/**
 * Returns the characters of a changed text, outside ASCII, that can be confused with the ones that it replaced: of
 * another script, of another normal form of the same text, or look-alikes of one script.
 */
export function lookAlikes(text: string, replaced: string): Set<string> {
  const [here, there] = [[...text], [...replaced]];
  const found = otherForms(text, replaced);
  const alike = here.length === there.length || Math.max(here.length, there.length) <= SHORT;
  const others = new Set(there);
  const scripts = new Set([...others].filter(isLetter).map(similarScript));
  // More characters look like one of ASCII than any list has.
  const isForAscii = (i: number): boolean =>
    here.length === there.length && /\p{ASCII}/u.test(there[i] ?? '');
  const isOther = (c: string, i: number): boolean =>
    isForAscii(i) ||
    (scripts.size > 0 && isLetter(c) && !scripts.has(similarScript(c))) ||
    TWINS.some((twins) => twins.includes(c) && [...twins].some((twin) => twin !== c && others.has(twin)));
  const characters = [...found.flatMap((form) => [...form]), ...(alike ? here.filter(isOther) : [])];
  return new Set(characters.filter((c) => /[^\p{ASCII}]/u.test(c)));
}

/** Tells whether two texts differ in their normal form alone. */
export const sameNormalForm = (one: string, other: string): boolean => normal(one) === normal(other);
