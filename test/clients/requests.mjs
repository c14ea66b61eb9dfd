/** What stands in the requests that a model was sent. */

const conversation = (body) => body.messages ?? body.input ?? body.contents ?? [];

/**
 * How often `needle` stands in the conversation of request `i`, system prompt and tool list aside. Throws where there
 * is no such request: a session that never spoke to its model must not prove that a text is absent.
 */
export function count(requests, i, needle) {
  if (!requests[i]) throw new Error(`request ${i} of ${requests.length} was never made`);
  return JSON.stringify(conversation(requests[i].body)).split(JSON.stringify(needle).slice(1, -1)).length - 1;
}

/**
 * Whether the user's own hooks are heard in a session of PROMPTS. Some clients drop what one hook says beside ours: then
 * the session is marked `alone`.
 */
export const ownHooksFire = ({ requests: r, alone }) =>
  (alone || count(r, 0, 'USER-PROMPT') === 1) && count(r, 1, 'USER-TOOL') === 1;

/** Whether `needle` stands in the same message of request `i` as `other`, or in a later one. */
export function follows(requests, i, needle, other) {
  const at = (text) =>
    conversation(requests[i]?.body ?? {}).findLastIndex((m) => JSON.stringify(m).includes(text));
  return at(other) >= 0 && at(needle) >= at(other);
}

/** Where the model was sent `needle`: [{ request (from 0), run, kind, path, role, text }], each string value once. */
export function seen(requests, needle) {
  const hits = [];
  const walk = (value, path, role, at) => {
    if (typeof value === 'string') {
      if (value.includes(needle)) hits.push({ ...at, path, role, text: value });
    } else if (value && typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) walk(inner, `${path}/${key}`, value.role ?? role, at);
    }
  };
  requests.forEach(({ run: turn, kind, body }, request) => {
    walk(body, '', undefined, { request, run: turn, kind });
  });
  return hits;
}
