/** Whose hooks an install is: the user's own, the project's for all who have it, or the user's own in one project. */
export const SCOPES = ['user', 'project', 'local'] as const;
export type ScopeName = (typeof SCOPES)[number];
