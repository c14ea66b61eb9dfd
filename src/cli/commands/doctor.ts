import { comparing } from '../../app/compare-installed.ts';
import type { Context } from '../../app/context.ts';
import { machineView, readIfAble } from '../../app/disk.ts';
import { notInstalled } from '../../app/not-installed.ts';
import { valuesByKey } from '../../base/grouped.ts';
import { slugFor } from '../../base/slug.ts';
import { hanging, wrapped } from '../../base/text-style.ts';
import { CLIENT_IDS } from '../../clients/client.ts';
import { clientById } from '../../clients/index.ts';
import { logging } from '../../fire/log.ts';
import { CHECKS } from '../../inspect/doctor/checks.ts';
import { aboutInstall, scopeOf } from '../../inspect/doctor/installs.ts';
import {
  isIncident,
  type LastText,
  lastTexts,
  logLineText,
  openIncidents,
} from '../../inspect/doctor/log.ts';
import { findNodes } from '../../inspect/doctor/node.ts';
import { bearsOn, isKnown, ofServer } from '../../inspect/doctor/one-server.ts';
import { interrupted } from '../../inspect/doctor/own.ts';
import { findProgram } from '../../inspect/doctor/programs.ts';
import type { DoctorContext, Finding } from '../../inspect/doctor/types.ts';
import { readLog } from '../../inspect/log.ts';
import { activeScopes } from '../../inspect/scopes.ts';
import { type Surveyed, survey } from '../../inspect/survey.ts';
import { NOTHING_INSTALLED, notContacted, nothingFound } from '../../messages/done.ts';
import { Fault } from '../../messages/fault.ts';
import { LATEST_LINES, lastTextsText } from '../../messages/log.ts';
import { serverAt, some } from '../../messages/words.ts';
import { DEADLINES } from '../../plan/compile/shim-data.ts';
import type { Exit } from '../exit.ts';
import { findingJson } from '../json/finding.ts';
import { printJson } from '../json/print.ts';
import { findingTexts } from '../text/findings.ts';

interface DoctorFlags {
  /** Also reaches the servers, and calls their tools. */
  check?: boolean;
  timeout?: number;
  allowStart?: string[];
  json?: boolean;
}

/** Milliseconds that a hook waits for a tool of its server at most. */
const SLOW_MS = DEADLINES.other.callMs;

/** Most lines of the log that are shown. */
const LINES = 5;

/**
 * `mcphooks doctor`: prints what would stop hooks from firing here, of all servers or of one. Changes nothing. Starts
 * clients and Node only for their version, and servers only with `--check`.
 */
export async function run(
  [named]: [server: string | undefined],
  flags: DoctorFlags,
  context: Context,
): Promise<Exit> {
  if (named?.trim() === '') throw new Fault('usage.empty-name');
  const { env, paths } = context;
  const scopes = await activeScopes(context);
  const view = machineView(context);
  const slug = named === undefined ? undefined : slugFor(named);
  if (named !== undefined && !isKnown(slugFor(named), scopes, view))
    throw await notInstalled(named, context, { here: scopes });
  // During an interrupted change the state isn't final, so servers aren't compared.
  const ask = flags.check === true && interrupted({ scopes }).length === 0;
  const wanted = slug === undefined ? scopes : scopes.map((at) => ofServer(at, slug));
  const servers = await survey(wanted, view, comparing({ ask, ...flags, callsTools: true }, context));
  const ids = CLIENT_IDS.filter((id) => servers.some(({ record }) => record.clients[id]));
  const programs = await Promise.all(ids.map((id) => findProgram(id, env)));
  const nodes = await findNodes(servers, { env, read: readIfAble });
  const now = context.now();
  const scene: DoctorContext = { ...view, read: readIfAble, scopes, servers, programs, nodes, now };
  const found = [...CHECKS.flatMap((check) => check(scene)), ...servers.flatMap(faultFindings)];
  const all = slug === undefined ? found : found.filter(bearsOn(slug, servers));
  const findings = all.filter((finding) => !finding.remark);
  const remarks = all.filter((finding) => finding.remark);
  const exit: Exit = findings.length > 0 ? 1 : 0;
  const lines = readLog(paths.state, scene);
  const log = openIncidents(lines.filter(isIncident), servers, now).slice(-LINES);
  const texts = logging(env).on ? lastTexts(lines, servers) : [];
  if (flags.json) {
    printJson(
      'doctor',
      {
        status: exit === 0 ? 'well' : 'ill',
        exit,
        servers: [...new Set(servers.map(({ record }) => record.server))],
        clients: programs,
        findings: findings.map(findingJson),
        remarks: remarks.map(findingJson),
        log,
        texts,
        faults: [],
      },
      context,
    );
    return exit;
  }
  context.out(reportText({ scene, findings, remarks, log, texts }, { named, ...flags }, context));
  return exit;
}

interface Report {
  scene: DoctorContext;
  findings: readonly Finding[];
  remarks: readonly Finding[];
  log: ReturnType<typeof openIncidents>;
  texts: readonly LastText[];
}

function reportText(
  { scene, findings, remarks, log, texts }: Report,
  { named, check }: { named: string | undefined; check?: boolean },
  context: Context,
): string {
  const { style, columns } = context;
  const isNone = scene.servers.length === 0;
  const paragraphs = [
    isNone && findings.length === 0 ? wrapped(NOTHING_INSTALLED, 0, columns) : sceneText(scene, context),
    findings.length === 0 && !isNone ? `${style('green', '✓')} ${nothingFound(named !== undefined)}` : '',
    ...findingTexts([...findings, ...remarks], context),
    check || isNone ? '' : style('dim', wrapped(notContacted(named), 0, columns)),
    textsText(texts, context),
    log.length > 0
      ? [style('bold', LATEST_LINES), ...log.map((l) => `  ${hanging(logLineText(l), 4, columns)}`)].join(
          '\n',
        )
      : '',
  ];
  return paragraphs.filter(Boolean).join('\n\n');
}

/** Returns findings for servers that couldn't be compared or asked, and for unknown, failing or slow tools. */
function faultFindings({ scope, record, faults, answers }: Surveyed): Finding[] {
  const { called = [], uncheckedFaults = [] } = answers ?? {};
  const about = { server: record.server, ...scopeOf(scope) };
  return [
    ...faults.map(({ code, args, where }) => ({ code, args, where, ...about })),
    ...uncheckedFaults.map(
      ({ args, where }): Finding => ({
        code: 'doctor.tool-unchecked',
        args: { ...args, name: record.server, ...scopeOf(scope) },
        where,
        ...about,
        // The server may list more tools in this project; a name that is nearly one of its own is rather a slip.
        ...(args.near === undefined && { remark: true }),
      }),
    ),
    ...called.flatMap(({ tool, error, ms }): Finding[] => {
      if (error !== undefined) return [aboutInstall('doctor.tool-failed', scope, record, { tool, error })];
      return ms > SLOW_MS ? [aboutInstall('doctor.tool-slow', scope, record, { tool, ms })] : [];
    }),
  ];
}

/** Returns what was examined: clients with their versions, and the servers of each. */
function sceneText({ programs, servers }: DoctorContext, { style }: Context): string {
  return programs
    .map(({ client, version }) => {
      const on = servers
        .filter(({ record }) => record.clients[client])
        .map(({ scope, record }) => serverAt(record.server, scope.name));
      return `${style('bold', clientById(client).title.padEnd(12))} ${(version ?? '').padEnd(10)} ${some(on)}`;
    })
    .join('\n');
}

/** Returns when hooks last gave a text, by client: a line for each server, or for several of which the same is true. */
function textsText(texts: readonly LastText[], { now, columns }: Context): string {
  const installs = valuesByKey(
    texts.map(({ server, scope, client, ...one }) => [
      serverAt(server, scope),
      { ...one, client: clientById(client).title },
    ]),
  );
  const lines = valuesByKey([...installs].map(([server, own]) => [lastTextsText(own, now()), server]));
  return [...lines].map(([text, on]) => hanging(`${some(on)}: ${text}`, 2, columns)).join('\n');
}
