const UNITS = [
	[30, 'GiB'],
	[20, 'MiB'],
	[10, 'KiB']
] as const;

/** Formats a size for people: `12.34 KiB`. */
export function humanBytes(bytes: number): string {
	for (const [bits, unit] of UNITS) {
		const scale = 2 ** bits;
		if (bytes > scale) return `${(Math.floor((bytes / scale) * 100) / 100).toFixed(2)} ${unit}`;
	}
	return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
}
