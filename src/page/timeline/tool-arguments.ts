/** Arguments of a tool call. The functions here read what the page shows, under any profile's parameter names. */
export type Arguments = Record<string, unknown>;

/** First of these fields that is a string. */
export function textOf(args: Arguments, ...names: string[]): string | undefined {
	for (const name of names) {
		const value = args[name];
		if (typeof value === 'string') return value;
	}
	return undefined;
}

/** First of these fields that is a number. */
export function numberOf(args: Arguments, ...names: string[]): number | undefined {
	for (const name of names) {
		const value = args[name];
		if (typeof value === 'number' && Number.isFinite(value)) return value;
	}
	return undefined;
}

/** File or folder that a call concerns, relative to the working directory if possible. */
export function pathOf(args: Arguments): string {
	const path = textOf(args, 'file_path', 'path', 'dir_path', 'absolute_path', 'notebook_path') ?? '';
	return path.replace(/^\/workspace\/?/, '') || (path === '' ? '' : '.');
}

/** Lines that a read requests; `undefined` if it reads the whole file. */
export function readRange(args: Arguments): { from: number; to?: number } | undefined {
	const from = numberOf(args, 'offset', 'start_line');
	const end = numberOf(args, 'end_line');
	const limit = numberOf(args, 'limit');
	if (from === undefined && end === undefined && limit === undefined) return undefined;
	const first = from ?? 1;
	const to = end ?? (limit === undefined ? undefined : first + limit - 1);
	return to === undefined ? { from: first } : { from: first, to };
}

export function asRecord(value: unknown): Arguments | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? Object.fromEntries(Object.entries(value))
		: undefined;
}
