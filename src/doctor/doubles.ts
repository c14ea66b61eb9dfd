import { resolve } from 'node:path';
import { clientById, hookFilePaths } from '../clients/index.ts';
import { hasHooks } from '../edit/read.ts';
import { Fault } from '../messages.ts';
import { decode } from '../plan/hook-file.ts';
import { type Speaker, speakersHere, twice } from '../plan/speakers.ts';
import { shimsIn } from '../plan/survey.ts';
import type { Check, Finding, Scene } from './types.ts';

/** Hooks of one server that a client is given by two, both of which are heard; and exports beside the user's install. */
export const doubles: Check = (scene) => {
  const speakers = speakersHere(scene.sites, scene);
  const own = (s: Speaker): boolean =>
    speakers.some((o) => o.by === 'user' && o.slug === s.slug && o.client === s.client);
  const silent = speakers.filter((s) => (s.by === 'plugin' || s.by === 'extension') && own(s));
  return [
    ...twice(speakers).flatMap((all): Finding[] => {
      const [first] = all;
      if (!first) return [];
      const { server, client } = first;
      return [{ code: 'doctor.twice', args: { places: all.map((s) => s.where) }, where: {}, server, client }];
    }),
    ...silent.map(
      ({ server, client, by, where }): Finding => ({
        code: 'doctor.export-silent',
        args: { by, where },
        where: { file: where },
        server,
        client,
        remark: true,
      }),
    ),
  ];
};

/** Hooks in two files of one client, where it takes several. */
export const twoFiles: Check = (scene) =>
  scene.programs.flatMap(({ client: id }) => {
    const client = clientById(id);
    const holding = hookFilePaths(client, scene.env).filter((place) => holdsHooks(place, scene));
    const [, second] = holding.map((place) => place.file);
    if (second === undefined) return [];
    const args = { client: client.title, files: holding.map((place) => place.path) };
    return [{ code: 'doctor.two-files', args, where: { file: second }, client: id }];
  });

function holdsHooks(place: ReturnType<typeof hookFilePaths>[number], { read }: Scene): boolean {
  try {
    const bytes = read(place.file);
    return bytes !== null && hasHooks({ ...place, text: decode(bytes, place.file), memory: undefined });
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

/**
 * Hooks of one server for the user and in the project of this session. Shims that a project shares stay silent then,
 * as do those of --scope local; entries that were copied there don't.
 */
export const projectToo: Check = (scene) =>
  scene.programs.flatMap(({ client: id }) => {
    const client = clientById(id);
    const users = hookFilePaths(client, scene.env).map((place) => place.file);
    return [...client.project.files, ...client.project.local]
      .map((place) => ({ ...place, path: resolve(scene.cwd, place.path) }))
      .filter((place) => !users.includes(place.path))
      .flatMap((place) =>
        shimsIn(place, id, scene).flatMap(({ slug, shared }) => {
          const at = scene.servers.filter(({ record }) => record.slug === slug && record.clients[id]);
          const here = at.find(({ record }) => record.scope === 'user');
          const local = at.some(
            ({ record }) => record.scope === 'local' && record.clients[id]?.file === place.path,
          );
          if (!here || local) return [];
          const { server } = here.record;
          const about = { args: { name: server }, where: { file: place.path }, server, client: id };
          return [
            shared
              ? { code: 'doctor.project-silent' as const, ...about, remark: true as const }
              : { code: 'doctor.project-too' as const, ...about },
          ];
        }),
      );
  });
