import * as z from 'zod/mini';
import { once } from '../../base/once.ts';
import { wholeNumber } from '../../base/whole-number.ts';

const text = () => z.string().check(z.regex(/\S/));
const names = () => z.exactOptional(z.array(text()).check(z.minLength(1)));
/** A day, as 2026-11-22. */
const day = () => z.string().check(z.regex(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/));
const whole = () => z.exactOptional(wholeNumber(1));

/** A relative path that stays in its folder. */
const PLAIN_PATH = /^(?!\.{1,2}(?:\/|$))[\w.-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)*$/;

/** Schema of `catalogue/<id>/entry.json`; `hooks.json` beside it is a declarations file. */
export const EntryShape = once(() =>
  z.strictObject({
    $schema: z.exactOptional(z.string()),
    title: text(),
    match: z
      .strictObject({ npm: names(), pypi: names(), oci: names(), url: names(), mcp: names() })
      .check(z.refine((match) => Object.keys(match).length > 0)),
    /** Programs by which a package is started, where they aren't named as the package. */
    programs: names(),
    /** Words behind the package that start it as an MCP server, for `catalogue verify`. */
    start: names(),
    /** Variables without which it answers nothing, with values that are no secrets, for `catalogue verify`. */
    env: z.exactOptional(z.record(text(), z.string())),
    /** Files of a folder in which it lists its tools, by path, for `catalogue verify`. */
    files: z.exactOptional(z.record(z.string().check(z.regex(PLAIN_PATH)), z.string())),
    /** The server's own name (`serverInfo.name`), by which matchers of `hooks.json` mean this server. */
    serverName: text(),
    /** Every tool that the hooks call or name; `reads`: the server marks it as read-only. */
    tools: z.record(text(), z.enum(['reads', 'writes'])),
    /** Version of the package with which the entry was checked. */
    version: text(),
    /** `server`: against the server's own list of tools. `docs`: against its sources; the server can't be asked. */
    checked: z.enum(['server', 'docs']),
    /** Suggested options of `install`, for those that the user doesn't choose. */
    options: z.exactOptional(z.strictObject({ cooldown: whole(), keepWarm: whole() })),
    reviewed: day(),
    withdrawn: z.exactOptional(z.strictObject({ on: day(), reason: text() })),
  }),
);

/** What `entry.json` says. */
export type EntryFile = z.infer<ReturnType<typeof EntryShape>>;
