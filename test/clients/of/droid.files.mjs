/**
 * Configuration files as text, with `HOOK` in place of a hook of the user's at SessionStart, and what Droid 0.215.0 and
 * 0.117.0 make of them: the hook fires, or none of the file does.
 */
const settings = (text) => ({ 'settings.json': text });
const hooks = (text) => ({ 'hooks.json': text });
const G = '{"hooks":[HOOK]}';
const S = `"SessionStart":[${G}]`;
const wrapped = (events) => settings(`{"hooks":{${events}}}`);

export const ACCEPTED = {
  'one line': wrapped(S),
  'two spaces': settings(`{\n  "hooks": {\n    "SessionStart": [\n      ${G}\n    ]\n  }\n}\n`),
  tabs: settings(`{\n\t"hooks": {\n\t\t"SessionStart": [\n\t\t\t${G}\n\t\t]\n\t}\n}`),
  'CRLF line ends': settings(`{\r\n  "hooks": {\r\n    ${S}\r\n  }\r\n}\r\n`),
  'white space around': settings(`\n\n  {"hooks":{${S}}}  \n\n`),
  'line comments': settings(`// mine\n{\n  // hooks\n  "hooks": {${S}} // end\n}\n`),
  'a block comment': settings(`/* mine */ {"hooks":{/* all */ ${S}}}`),
  'a comment in a group': settings(`{"hooks":{"SessionStart":[{"hooks":[HOOK /* daily */]}]}}`),
  'keys before and after': settings(`{"theme":"x","hooks":{${S}},"nested":{"a":[1,{"b":null}]}}`),
  'numbers in other forms': settings(`{"a":1e3,"b":-0.5,"hooks":{${S}}}`),
  'escapes and letters of any script': settings(`{"\\u0061":"\\n ä 日本 \\ud83d\\ude00","hooks":{${S}}}`),
  'the last of two equal keys': settings(`{"hooks":{"Stop":[]},"hooks":{${S}}}`),
  'an unknown event': wrapped(`${S},"AfterAll":"x"`),
  'an unknown key in a group': wrapped(`"SessionStart":[{"x-mine":1,"hooks":[HOOK]}]`),
  'an unknown key in an entry': wrapped(
    `${S},"Stop":[{"hooks":[{"type":"command","command":"true","x-mine":{"a":1}}]}]`,
  ),
  'an invalid expression in another group': wrapped(
    `${S},"PreToolUse":[{"matcher":"(","hooks":[{"type":"command","command":"true"}]}]`,
  ),
  'an empty matcher': wrapped(`"SessionStart":[{"matcher":"","hooks":[HOOK]}]`),
  'a matcher for all': wrapped(`"SessionStart":[{"matcher":"*","hooks":[HOOK]}]`),
  'a matcher of the source': wrapped(`"SessionStart":[{"matcher":"startup","hooks":[HOOK]}]`),
  'a command filter': wrapped(
    `${S},"PostToolUse":[{"matcher":"Execute","commandRegex":"^git","hooks":[{"type":"command","command":"true"}]}]`,
  ),
  'a timeout of 0': wrapped(`${S},"Stop":[{"hooks":[{"type":"command","command":"true","timeout":0}]}]`),
  'a timeout of 1.5': wrapped(`${S},"Stop":[{"hooks":[{"type":"command","command":"true","timeout":1.5}]}]`),
  'a negative timeout': wrapped(`${S},"Stop":[{"hooks":[{"type":"command","command":"true","timeout":-1}]}]`),
  'an empty command': wrapped(`${S},"Stop":[{"hooks":[{"type":"command","command":""}]}]`),
  'a group without handlers': wrapped(`"SessionStart":[{"hooks":[]},${G}]`),
  'two groups': wrapped(`"SessionStart":[${G},{"hooks":[{"type":"command","command":"true"}]}]`),
  'two handlers in a group': wrapped(`"SessionStart":[{"hooks":[HOOK,{"type":"command","command":"true"}]}]`),
  'empty lists of other events': wrapped(`"Stop":[],${S},"PostToolUse":[]`),
  'hooks that are on': wrapped(`${S},"hooksDisabled":false,"showHookOutput":false`),
  'many keys': settings(
    `{${Array.from({ length: 2000 }, (_, i) => `"key ${i}":"${'x'.repeat(40)}"`).join(',\n')},"hooks":{${S}}}`,
  ),
  'hooks.json': hooks(`{${S}}`),
  'hooks.json with comments': hooks(`// mine\n{\n  ${S} // start\n}\n`),
  'hooks.json with preferences': hooks(`{\n  "hooksDisabled": false,\n  ${S}\n}`),
  'hooks.json with an unknown key': hooks(`{"version":1,${S}}`),
  'hooks.json for another event': { ...wrapped(S), ...hooks('{"Stop":[]}') },
  'hooks.json for the event': { ...wrapped('"SessionStart":[]'), ...hooks(`{${S}}`) },
  'an empty hooks.json': { ...wrapped(S), ...hooks('{}') },
};

export const REFUSED = {
  'a byte order mark': settings(`\uFEFF{"hooks":{${S}}}`),
  'a trailing comma': settings(`{"hooks":{${S},}}`),
  'cut off': settings(`{"hooks":{${S}`),
  'single quotes': settings(`{'x':1,"hooks":{${S}}}`),
  'a list as hooks': settings(`{"hooks":[${G}]}`),
  'an entry without a command': wrapped(`${S},"Stop":[{"hooks":[{"type":"command"}]}]`),
  'a command that is no text': wrapped(`${S},"Stop":[{"hooks":[{"type":"command","command":["true"]}]}]`),
  'an unknown type': wrapped(`${S},"Stop":[{"hooks":[{"type":"prompt","command":"true"}]}]`),
  'no type': wrapped(`${S},"Stop":[{"hooks":[{"command":"true"}]}]`),
  'a timeout as text': wrapped(`${S},"Stop":[{"hooks":[{"type":"command","command":"true","timeout":"5"}]}]`),
  'a matcher that is a number': wrapped(`${S},"PreToolUse":[{"matcher":1,"hooks":[]}]`),
  'a matcher that is null': wrapped(`${S},"PreToolUse":[{"matcher":null,"hooks":[]}]`),
  'a command filter that is a number': wrapped(`${S},"PreToolUse":[{"commandRegex":1,"hooks":[]}]`),
  'an event that is no list': wrapped(`${S},"Stop":{"hooks":[]}`),
  'a group that is a text': wrapped(`${S},"Stop":["true"]`),
  'a group without a list': wrapped(`${S},"Stop":[{"matcher":"*"}]`),
  'a preference that is a text': wrapped(`${S},"hooksDisabled":"no"`),
  'hooks.json with a trailing comma': hooks(`{${S},}`),
  'hooks.json with a malformed entry': hooks(`{${S},"Stop":[{"hooks":[{}]}]}`),
};
