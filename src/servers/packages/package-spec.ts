import type { Ecosystem, PackageRun } from '../types.ts';

type Spec = Pick<PackageRun, 'spec' | 'name' | 'version' | 'pinned'>;

/** By ecosystem, the parser of a package spec: name and requested version; undefined for a package from elsewhere. */
const READ: Record<
  Ecosystem,
  (spec: string) => { name: string; version?: string; pinned: boolean } | undefined
> = {
  npm: (spec) => {
    const [, name, version] = /^((?:@[a-z0-9~*_.-]+\/)?[a-z0-9~_][a-z0-9~_.-]*)(?:@(.*))?$/i.exec(spec) ?? [];
    // `name@npm:other` is an alias; with a slash, a colon or a leading dot it is a path, a URL or a repository. So may be
    // what a client puts in for a variable.
    if (name === undefined || /[:/\\$%{]|^\./.test(version ?? '')) return undefined;
    // What has an archive's ending is a file in the session's folder.
    if (/\.(?:tgz|tar|tar\.gz)(?:@|$)/i.test(spec)) return undefined;
    return {
      name,
      ...(version && { version }),
      pinned: /^v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version ?? ''),
    };
  },
  // Behind `@`, uvx takes anything but a version for a folder.
  pypi: (spec) => {
    const [, name, at, equal] =
      /^([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?:\[[\w\s,.-]*\])?(?:@(latest|\d{1,9}(?:\.\d{1,9})*(?:(?:a|b|rc|\.post|\.dev)\d{1,9})?)|\s*([=<>!~].*))?$/i.exec(
        spec,
      ) ?? [];
    if (name === undefined) return undefined;
    const version = at ?? equal?.replace(/^===?\s*/, '').trim();
    const pinned = at === undefined ? /^==/.test(equal ?? '') : /^\d/.test(at);
    return {
      name,
      ...(version && { version }),
      pinned: pinned && !/[*,<>~!]/.test((version ?? '').replace(/^\d+!/, '')),
    };
  },
  oci: (spec) => {
    const [, name, tag, digest] =
      /^([a-z0-9.-]+(?::\d+)?(?:\/[a-z0-9._-]+)*)(?::([\w][\w.-]*))?(?:@(sha256:[0-9a-f]{64}))?$/i.exec(
        spec,
      ) ?? [];
    if (name === undefined) return undefined;
    const version = digest ?? tag;
    return {
      name,
      ...(version && { version }),
      pinned: digest !== undefined || (tag !== undefined && /\d/.test(tag)),
    };
  },
};

/** Reads a package's name and version as a runner of this ecosystem does; `pinned`: it names one version. */
export function packageSpec(spec: string | undefined, ecosystem: Ecosystem): Spec {
  if (spec === undefined) return { pinned: false };
  return { spec, pinned: false, ...READ[ecosystem](spec) };
}
