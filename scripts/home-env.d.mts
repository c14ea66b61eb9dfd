export const homeEnv: (home: string) => Record<string, string>;
