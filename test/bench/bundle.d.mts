export function bundle(root: string, built: string, entries?: string[]): Promise<void>;
