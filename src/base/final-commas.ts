// A text without an end is read to its end at once, and not once more from each quote in it.
const TEXT_OR_COMMA = /("(?:[^"\\]|\\[\s\S]?)*(?:"|$))|,(?=\s*[}\]])/g;

/** Returns JSON with a blank in place of a comma behind a last element. */
export const withoutFinalCommas = (json: string): string =>
  json.replace(TEXT_OR_COMMA, (_, text: string | undefined) => text ?? ' ');
