/**
 * Forms of names in the paths of own files, as regular expressions (source): by these an uninstall knows its files and
 * entries again. A native event has no `-`, digit or dot: what follows its name in a path begins with one.
 */
export const CLIENT_NAME = '[a-z0-9-]+';
export const NATIVE_NAME = '[A-Za-z_]+';
