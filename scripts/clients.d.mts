export const FOLDER: string;
export function exportName(id: string): string;
export function writeGenerated(): void;
export function generated(folder?: string): Record<string, string>;
