import { readdirSync } from 'node:fs';
import { clientById } from '../clients/index.ts';
import { CLIENT_IDS } from '../clients/types.ts';
import type { Context } from '../context.ts';
import { oneLine, visibleJson } from '../declarations/visible.ts';
import { CHECKS } from '../doctor/checks.ts';
import { scopeOf } from '../doctor/installs.ts';
import { lastLines, logLineText } from '../doctor/log.ts';
import { interrupted } from '../doctor/own.ts';
import { findProgram } from '../doctor/programs.ts';
import { reach } from '../doctor/reach.ts';
import { findingJson, findingText } from '../doctor/text.ts';
import type { Finding, Scene } from '../doctor/types.ts';
import { readBytes, readIfAble } from '../plan/gather.ts';
import { sitesHere } from '../plan/sites.ts';
import { survey } from '../plan/survey.ts';
import { type Exit, faultsOf } from './outcome.ts';

export interface DoctorFlags {
  /** Reach the servers too. */
  check?: boolean;
  timeout?: number;
  json?: boolean;
}

/** Lines of the log that are shown. */
const LINES = 5;

/** `mcphooks doctor`: what would stop hooks from firing here. Changes nothing; starts clients only for their version. */
export async function doctor(flags: DoctorFlags, context: Context): Promise<Exit> {
  const { env, cwd, paths } = context;
  const sites = await sitesHere(context);
  const surface = { env, cwd, read: readBytes, names };
  const servers = survey(sites, surface);
  const ids = CLIENT_IDS.filter((id) => servers.some(({ record }) => record.clients[id]));
  const programs = await Promise.all(ids.map((id) => findProgram(id, env)));
  const scene: Scene = { ...surface, read: readIfAble, sites, servers, programs };
  const unreached = flags.check ? await reachAll(scene, flags, context) : [];
  const all = [...CHECKS.flatMap((check) => check(scene)), ...unreached];
  const findings = all.filter((finding) => !finding.remark);
  const remarks = all.filter((finding) => finding.remark);
  const exit: Exit = findings.length > 0 ? 1 : 0;
  const log = lastLines(paths.state, LINES, readIfAble);
  if (flags.json) {
    context.out(
      visibleJson({
        version: 1,
        command: 'doctor',
        status: exit === 0 ? 'well' : 'ill',
        exit,
        servers: [...new Set(servers.map(({ record }) => record.server))],
        clients: programs,
        findings: findings.map(findingJson),
        remarks: remarks.map(findingJson),
        log: log.lines,
        faults: [],
      }),
    );
    return exit;
  }
  const { style } = context;
  const paragraphs = [
    servers.length === 0 && findings.length === 0 ? 'Nothing is installed.' : sceneText(scene, context),
    findings.length === 0 && servers.length > 0
      ? `${style('green', '✓')} Nothing found that would stop hooks from firing here.`
      : '',
    ...[...findings, ...remarks].map((finding) => findingText(finding, context)),
    flags.check || servers.length === 0
      ? ''
      : style('dim', "No server was asked whether it answers: 'mcphooks doctor --check' does."),
    log.lines.length > 0
      ? [style('bold', 'Last in the log'), ...log.lines.map((l) => `  ${logLineText(l)}`)].join('\n')
      : '',
  ];
  context.out(paragraphs.filter(Boolean).join('\n\n'));
  return exit;
}

/** Not while a change is half done: reaching a server would end it first. */
async function reachAll(scene: Scene, flags: DoctorFlags, context: Context): Promise<Finding[]> {
  if (interrupted(scene).length > 0) return [];
  const findings: Finding[] = [];
  for (const surveyed of scene.servers) {
    const { server } = surveyed.record;
    try {
      await reach(surveyed, flags.timeout ?? 30, { ...context, site: surveyed.site });
    } catch (error) {
      const about = { server, ...scopeOf(surveyed.site) };
      findings.push(...faultsOf(error).map(({ code, args, where }) => ({ code, args, where, ...about })));
    }
  }
  return findings;
}

/** What was looked at: clients with their versions, and the servers on each. */
function sceneText({ programs, servers }: Scene, { style }: Context): string {
  return programs
    .map(({ client, version }) => {
      const on = servers
        .filter(({ record }) => record.clients[client])
        .map(
          ({ site, record }) => `${oneLine(record.server)}${site.scope === 'user' ? '' : ` (${site.scope})`}`,
        );
      return `${style('bold', clientById(client).title.padEnd(12))} ${(version ?? '').padEnd(10)} ${on.join(', ')}`;
    })
    .join('\n');
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
