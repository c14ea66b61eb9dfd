import type { Files } from '../src/base/files.ts';

/** A disk that holds nothing but these files, by absolute path: what a plan makes of it depends on no machine. */
export function filesOf(texts: Readonly<Record<string, string>> = {}): Files {
  const below = (folder: string): string[] =>
    Object.keys(texts).flatMap((path) =>
      path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
    );
  return {
    read: (path) => (texts[path] === undefined ? null : Buffer.from(texts[path])),
    list: (folder) => {
      const found = new Map(below(folder).map((path) => [path.split('/')[0] ?? '', path.includes('/')]));
      if (found.size === 0) return 'gone';
      return [...found].map(([name, isFolder]) => ({ name, kind: isFolder ? 'folder' : 'file' }));
    },
    isExecutable: () => true,
    real: (path) => path,
  };
}
