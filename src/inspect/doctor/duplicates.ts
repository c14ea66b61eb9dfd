import { ANY_SLUG, existingFiles } from '../../clients/hook-files.ts';
import { clientById, hookFilePaths, placedIn } from '../../clients/index.ts';
import { hasHooks } from '../../edit/read.ts';
import { shareSign, signsOf } from '../../fire/installs/same-server.ts';
import { unlessFault } from '../../messages/fault.ts';
import { decode } from '../../plan/client/hook-file.ts';
import { shimsIn } from '../../plan/client/shims-in.ts';
import { activeSources, duplicates, type HookSource, lacking } from '../sources.ts';
import type { Check, DoctorContext, Finding } from './types.ts';

/**
 * Finds hooks that a client gets from two sources that both print, and exports that give no text beside the user's
 * install.
 */
export const doubles: Check = (context) => {
  const sources = activeSources(context.scopes, context);
  const own = (s: HookSource): boolean =>
    sources.some((o) => (o.by === 'user' || o.by === 'local') && o.slug === s.slug && o.client === s.client);
  const silent = sources.filter((s) => (s.by === 'plugin' || s.by === 'extension') && own(s));
  return [
    ...duplicates(sources).flatMap((all): Finding[] => {
      const [first] = all;
      if (!first) return [];
      const { server, client } = first;
      const args = { name: server, places: all.map((s) => s.where) };
      return [{ code: 'doctor.twice', args, where: {}, server, client }];
    }),
    ...silent.map(
      ({ server, client, by, where }): Finding => ({
        code: 'doctor.export-silent',
        args: { name: server, by, where },
        where: { file: where },
        server,
        client,
        remark: true,
      }),
    ),
  ];
};

/** Finds hooks that the user has in this project alone, too, where those for all projects take precedence. */
export const localToo: Check = (context) => {
  const sources = activeSources(context.scopes, context);
  const recordOf = ({ by, slug }: HookSource) =>
    context.scopes
      .filter(({ scope }) => scope.name === by)
      .flatMap(({ servers }) => servers)
      .find((one) => one.slug === slug);
  return sources.flatMap((source): Finding[] => {
    const { by, slug, server, client, where } = source;
    const first = sources.find((one) => one.by === 'user' && one.slug === slug && one.client === client);
    const [local, user] = [recordOf(source), first && recordOf(first)];
    if (by !== 'local' || !local || !user || !shareSign(signsOf(local), signsOf(user))) return [];
    const silent = lacking(local, user);
    const args = { name: server, silent };
    const about = { where: { file: where }, server, scope: by, client };
    return [{ code: 'doctor.local-silent', args, ...about, ...(silent.length === 0 && { remark: true }) }];
  });
};

/** Finds hooks in two files of a client that runs those of all its files. */
export const twoFiles: Check = (context) =>
  context.programs.flatMap(({ client: id }) => {
    const client = clientById(id);
    if (client.hooks.shadows) return [];
    const holding = hookFilePaths(client, context.env, ANY_SLUG).filter(
      (place) => !place.oursAlone && holdsHooks(place, context),
    );
    const [, second] = holding.map((place) => place.file);
    if (second === undefined) return [];
    const args = { client: client.title, files: holding.map((place) => place.path) };
    return [{ code: 'doctor.two-files', args, where: { file: second }, client: id }];
  });

const holdsHooks = (place: ReturnType<typeof hookFilePaths>[number], { read }: DoctorContext): boolean =>
  unlessFault(() => {
    const bytes = read(place.file);
    return bytes !== null && hasHooks({ ...place, text: decode(bytes, place.file) });
  }, false);

/**
 * Finds hooks of one server both at user scope and in the working folder's project. Shims of project and local scope
 * then give no text, but entries copied from the user's files do.
 */
export const projectToo: Check = (context) =>
  context.programs.flatMap(({ client: id }) => {
    const client = clientById(id);
    const users = hookFilePaths(client, context.env, ANY_SLUG).map((place) => place.file);
    return placedIn(context.cwd, [...client.hooks.project, ...client.hooks.local], ANY_SLUG)
      .flatMap((place) => existingFiles(place, context))
      .filter((place) => !users.includes(place.file))
      .flatMap((place) =>
        shimsIn(place, id, context).flatMap(({ slug, shared }) => {
          const at = context.servers.filter(({ record }) => record.slug === slug && record.clients[id]);
          const here = at.find(({ record }) => record.scope === 'user');
          const local = at.some(
            ({ record }) => record.scope === 'local' && record.clients[id]?.file === place.file,
          );
          const theirs = at.find(({ record }) => record.scope === 'project');
          const isOther = here && theirs && !shareSign(signsOf(here.record), signsOf(theirs.record));
          if (!here || local || isOther) return [];
          const { server } = here.record;
          const silent = theirs ? lacking(theirs.record, here.record) : [];
          const about = { args: { name: server, silent }, where: { file: place.file }, server, client: id };
          return [
            shared
              ? { code: 'doctor.project-silent' as const, ...about, remark: true as const }
              : { code: 'doctor.project-too' as const, ...about },
          ];
        }),
      );
  });
