export function draw<T>(all: readonly T[], count: number, seed: number): T[];
export function wilson(killed: number, counted: number): { low: number; high: number };
