export const CHROMIUM_FLAGS: string[];
export function findBrowser(): Promise<{ executablePath: string; env: Record<string, string>; source: string } | null>;
