import { isSecretName, MASK, maskText, maskValue, STRONG_NAME, WORD_START } from './secrets.ts';

/** A word that may be a credential: with a digit, or long. Looks no further than the word, for the time it takes. */
const CREDENTIAL = String.raw`(?=[^\s"',;\\]*\d|[^\s"',;\\]{16})(?!\w+=["']|https?:)`;
const WORD = String.raw`([^\s"',;\\]+)`;
/** The header in any notation, with a scheme that takes credentials, or with what may be one. */
const AUTHORIZATION = new RegExp(
  String.raw`${WORD_START}(authorization\\?["']?[ \t]*[:=][ \t]*\\?["']?(?:(?:Bearer|Basic|Token|Digest|ApiKey|Negotiate|NTLM)[ \t]+["']?(?!\w+=["'])|(?:[a-z][\w-]*[ \t]+)?${CREDENTIAL}))${WORD}`,
  'gi',
);
const BEARER = new RegExp(String.raw`${WORD_START}(Bearer[ \t]+["']?)${CREDENTIAL}${WORD}`, 'gi');

/** An environment variable with its value, as in `.env` files. */
const ASSIGNED = new RegExp(
  String.raw`${WORD_START}([A-Z][A-Z0-9_]*=)(?:(\\?["'])([^\n]*?)\2|([^\s"',;\\]+))`,
  'g',
);
/** Values that are no secret: code, placeholders, numbers and times, and what a program prints for a missing value. */
const NO_SECRET = /^(?:[=.$`(<]|(?:\d+[a-z]{0,2}|undefined|null|none|true|false)$)/i;

/** Masks a word, but for names of variables, also behind our own mask or before a bracket that closes around them. */
function maskWord(word: string): string {
  const names = word.replace(/^\*{3}(?=\$)/, '').replace(/[)\]]+$/, '');
  return maskValue(names) === names ? word : maskValue(word);
}

/**
 * Masks what `maskText` does, values of variables with the name of a secret, and credentials after `Authorization:` and
 * `Bearer`: for the log and for messages. After `Bearer` alone only what looks like a token: "invalid bearer token" is a
 * sentence.
 */
export const maskMessage = (text: string): string =>
  maskText(
    text
      .replace(ASSIGNED, (whole, name: string, quote = '', quoted = '', bare = '') => {
        const value = quoted + bare;
        const secret = isSecretName(name.slice(0, -1)) && STRONG_NAME.test(name.slice(0, -1));
        return secret && !NO_SECRET.test(value) ? name + quote + maskValue(value) + quote : whole;
      })
      .replace(AUTHORIZATION, (_, before: string, value: string) => before + maskWord(value))
      .replace(BEARER, (_, before: string, value: string) => before + maskWord(value)),
  );

/** Fewest characters of a line of a secret that is kept out of messages by itself. */
const LEAST_LINE = 8;

/** Returns the forms in which a secret may stand in a message: as it is, within JSON, and each of its lines. */
function formsOf(secret: string): string[] {
  const lines = /[\r\n]/.test(secret)
    ? secret.split(/[\r\n]+/).filter((line) => line.length >= LEAST_LINE)
    : [];
  return [secret, JSON.stringify(secret).slice(1, -1), ...lines];
}

/** Returns a server's message without the secrets sent to the server. */
export function redact(text: string, secrets: readonly string[]): string {
  // A shorter form may be a part of a longer one, whose rest would stay.
  const forms = secrets.flatMap(formsOf).sort((a, b) => b.length - a.length);
  return maskMessage(forms.reduce((rest, form) => rest.replaceAll(form, MASK), text));
}
