import type { FaultArgs } from '../args.ts';
import { list, type Wordings } from '../words.ts';

/** Why an address is not that of a server. */
const URL_REASONS = {
  malformed: 'it is not a URL, or contains a blank or a control character',
  backslash: 'it contains a backslash, which is read as a slash',
  'user-info': 'a user name and password belong in a header',
  scheme: 'it is neither https nor http',
} as const;

/** What a status of HTTP mostly means. */
const STATUSES: Readonly<Record<number, string>> = {
  200: 'This may be the address of a web page, and not of an MCP server. ',
  202: 'This may be an endpoint of SSE, the transport before Streamable HTTP: check the URL, which often ends in /mcp. ',
  404: 'Nothing is at this path: check the URL, which often ends in /mcp. ',
  405: 'This is no Streamable HTTP endpoint: check the URL, which often ends in /mcp. ',
  410: 'Nothing is at this path any more: ask its operator for the new URL. ',
  429: 'It gets too many requests. ',
};

function refusedFix({ status = 0, later, shown }: ReachFaults['server.refused']): string {
  const meaning = status >= 500 ? 'This is an error of the server itself. ' : (STATUSES[status] ?? '');
  return `${meaning}${later || status === 429 || status >= 500 ? 'Try again later. ' : ''}Reached with: ${shown}`;
}

const NO_HOST = "The host's name leads to no address: check it, and the network.";
const NO_TRUST =
  "Its certificate is from an authority that Node doesn't know. If you trust it, name the authority's file in NODE_EXTRA_CA_CERTS.";
const NO_TLS = 'It may not speak TLS at this port: check the port, and whether the URL begins with http:.';

const PROXY =
  ' A proxy in the environment is used only with NODE_USE_ENV_PROXY=1, from Node 22.21 and Node 24 on.';

/** What can be done about an address that can't be reached, by the system's or OpenSSL's code. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ENOTFOUND: NO_HOST,
  EAI_AGAIN: NO_HOST,
  CERT_HAS_EXPIRED: 'Its certificate has expired: its operator has to renew it.',
  ERR_TLS_CERT_ALTNAME_INVALID: "Its certificate is for another host: check the host's name.",
  DEPTH_ZERO_SELF_SIGNED_CERT: NO_TRUST,
  SELF_SIGNED_CERT_IN_CHAIN: NO_TRUST,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NO_TRUST,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NO_TRUST,
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  // By the standard of fetch, some ports are for other protocols.
  'bad port': 'Node reaches no server at this port: run it at another one.',
};

/** The last lines of a server's stderr, already made safe to show. */
const stderrText = ({ stderr = [] }: { stderr?: readonly string[] }): string =>
  stderr.length > 0 ? `. Last lines of its stderr:\n${stderr.map((line) => `    │ ${line}`).join('\n')}` : '';

/** What a server's stdout has in place of messages, already made safe to show. */
const noiseText = ({ noise }: FaultArgs): string =>
  noise ? `. Its stdout has text that is no message: ${noise}` : '';

/** Arguments by code. */
export interface ReachFaults {
  /** `reason`: NO_FOLDER for a missing `folder`, else the system's error code. */
  'server.start-failed': { folder?: string; reason: string; shown: string; given?: 1 };
  /** `how`: an exit code, a signal or the system's message. */
  'server.died': {
    how: number | string;
    shown: string;
    noise?: string;
    stderr?: readonly string[];
    step: string;
  };
  'server.timeout': {
    seconds: number;
    shown: string;
    noise?: string;
    stderr?: readonly string[];
    step: string;
  };
  'server.installing': { package: string; runner: string; noise?: string; stderr?: readonly string[] };
  'server.too-big': { max: number; shown: string; stderr?: readonly string[]; step: string };
  /** Without `got` the answer ended before it was whole. */
  'server.garbage': { got?: string; shown: string; stderr?: readonly string[]; step: string };
  'server.refused': {
    answers: readonly string[];
    /** `silent` (a method) has no answer, because the server ended; `later`: it may answer later. */
    ended?: 1;
    later?: 1;
    shown: string;
    silent?: string;
    /** That of HTTP, of the first answer; 200: it was in no form of MCP. */
    status?: number;
    stderr?: readonly string[];
  };
  'server.session-lost': { shown: string; step: string };
  'server.url': { reason: keyof typeof URL_REASONS; url: string };
  'server.plain-http': { url: string };
  'server.header': { name: string; shown: string };
  'server.sse': { url: string };
  /** `proxy`: the environment names one that Node doesn't use. */
  'server.unreachable': { reason: string; shown: string; proxy?: 1 };
  'server.unauthorized': { shown: string; status: number };
  'server.redirect': { shown: string; to: string };
}

const silence = ({ silent, ended }: FaultArgs): string[] =>
  silent === undefined ? [] : [`${silent}: no answer${ended ? ', the server ended' : ''}`];

/** Faults of starting a server, reaching it and waiting for its answers. */
export const reachFaults = (): Wordings<ReachFaults> => ({
  'server.start-failed': {
    what: (a) =>
      `could not start ${a.shown}: ${
        {
          NO_FOLDER: `no folder ${a.folder}`,
          ENOENT: 'the program was not found (ENOENT)',
          ERR_INVALID_ARG_VALUE: 'its name is empty, or a word or variable has a null character',
        }[a.reason] ?? a.reason
      }`,
    fix: (a) =>
      a.given
        ? 'Check the command that you gave.'
        : 'Check the command in your client. mcphooks starts it as the client would.',
  },
  'server.died': {
    what: (a) =>
      `the server exited (${typeof a.how === 'number' ? `exit code ${a.how}` : a.how}) before answering ${a.step}${noiseText(a)}${stderrText(a)}`,
    fix: (a) => `Started with: ${a.shown}`,
  },
  'server.timeout': {
    what: (a) => `no answer to ${a.step} within ${a.seconds} s${noiseText(a)}${stderrText(a)}`,
    fix: (a) =>
      `${a.noise ? 'A server writes nothing but messages to stdout, one on each line. ' : ''}Reached with: ${a.shown}. To wait longer: --timeout <seconds>.`,
  },
  'server.installing': {
    what: (a) =>
      `${`${a.runner} ${a.package}`.trim()} is still being installed${noiseText(a)}${stderrText(a)}`,
    fix: () =>
      'The installation continues in the background. Run the command again in a minute, or with --timeout 300.',
  },
  'server.too-big': {
    what: (a) => `the answer to ${a.step} is larger than ${a.max} MB${stderrText(a)}`,
    fix: (a) => `Reached with: ${a.shown}`,
  },
  'server.garbage': {
    what: (a) =>
      `invalid answer to ${a.step}: ${a.got ?? 'the stream ended without an answer'}${stderrText(a)}`,
    fix: (a) => `Reached with: ${a.shown}. Is it an MCP server?`,
  },
  'server.refused': {
    what: (a) =>
      `the server answered with ${a.later ? 'an error' : 'errors only'}: ${list([...a.answers, ...silence(a)])}${stderrText(a)}`,
    fix: refusedFix,
  },
  'server.session-lost': {
    what: (a) =>
      `the server answered ${a.step} with HTTP 404, twice: it doesn't know the session it has just begun`,
    fix: (a) =>
      `If several servers share this address, each session has to stay with one of them. Reached with: ${a.shown}`,
  },
  'server.url': {
    what: (a) => `not a valid MCP server URL: ${a.url} (${URL_REASONS[a.reason]})`,
    fix: () => 'Use one like https://example.org/mcp.',
  },
  'server.plain-http': {
    what: (a) => `${a.url} would send everything unencrypted to another machine`,
    fix: () => 'Use https://; http:// is allowed for this machine only: localhost, 127.0.0.0/8 and [::1].',
  },
  'server.header': {
    what: (a) => `the header '${a.name}' for ${a.shown} can't be sent over HTTP`,
    fix: () =>
      "Its name may have letters, digits and '-'; its value, with variables filled in, only characters of Latin-1 and no line ends.",
  },
  'server.sse': {
    what: (a) => `${a.url} uses SSE, the transport before Streamable HTTP, which mcphooks doesn't support`,
    fix: () => 'If the server also has a Streamable HTTP endpoint, give it with --url.',
  },
  'server.unreachable': {
    what: (a) => `could not reach ${a.shown}: ${a.reason}`,
    fix: (a) =>
      `${UNREACHABLE[a.reason] ?? 'Check that the server is running and listening there.'}${a.proxy ? PROXY : ''}`,
  },
  'server.unauthorized': {
    what: (a) => `${a.shown} answered ${a.status}: it needs credentials that mcphooks doesn't have`,
    fix: () =>
      "Put the credentials into the client's file, or install by --url and --header 'Authorization: Bearer ${VARIABLE}'. mcphooks can't use a sign-in that only the client holds (OAuth).",
  },
  'server.redirect': {
    what: (a) => `${a.shown} redirects to ${a.to}; mcphooks doesn't follow that`,
    fix: () => 'If that is the right server, use its URL.',
  },
});
