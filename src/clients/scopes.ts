/** Whom an install is for: the user everywhere, all users of the project, or the user in one project. */
export const SCOPES = ['user', 'project', 'local'] as const;
export type ScopeName = (typeof SCOPES)[number];
