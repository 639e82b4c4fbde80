/** Block of a TZif file (RFC 9636, section 3). */
export interface TzifBlock {
	version: string;
	/** Times of changes to local time, in seconds since 1970; `indices` are their types. */
	times: number[];
	indices: number[];
	types: { offset: number; isDst: boolean; abbreviation: string }[];
}

/** Content of a TZif file: the block with 32-bit times, the one with 64-bit times, and the `TZ` at its end. */
export interface Tzif {
	short: TzifBlock;
	long: TzifBlock;
	footer: string;
}

export function readTzif(bytes: Uint8Array): Tzif {
	const first = readBlock(bytes, 4);
	const second = readBlock(bytes.subarray(first.length), 8);
	const footer = new TextDecoder().decode(bytes.subarray(first.length + second.length));
	if (!/^\n.*\n$/.test(footer)) throw new Error(`Not a footer: ${footer}`);
	return { short: first.block, long: second.block, footer: footer.trim() };
}

/** Type of local time at `seconds` since 1970, by one block. */
export function typeAt({ times, indices, types }: TzifBlock, seconds: number) {
	const index = times.findLastIndex((time) => time <= seconds);
	return types[index < 0 ? 0 : (indices[index] ?? 0)];
}

function readBlock(bytes: Uint8Array, timeBytes: 4 | 8): { block: TzifBlock; length: number } {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
	const text = (from: number, to: number) => new TextDecoder('latin1').decode(bytes.subarray(from, to));
	if (text(0, 4) !== 'TZif') throw new Error('Not a TZif block');
	const counts = Array.from({ length: 6 }, (_, index) => view.getUint32(20 + index * 4));
	const [utFlags = 0, standardFlags = 0, leaps = 0, timeCount = 0, typeCount = 0, textLength = 0] = counts;
	let at = 44;
	const numbers = <Value>(count: number, step: number, read: (place: number) => Value): Value[] => {
		const found = Array.from({ length: count }, (_, index) => read(at + index * step));
		at += count * step;
		return found;
	};
	const times = numbers(timeCount, timeBytes, (place) =>
		timeBytes === 4 ? view.getInt32(place) : Number(view.getBigInt64(place))
	);
	const indices = numbers(timeCount, 1, (place) => view.getUint8(place));
	const records = numbers(typeCount, 6, (place) => ({
		offset: view.getInt32(place),
		isDst: view.getUint8(place + 4) === 1,
		name: view.getUint8(place + 5)
	}));
	const names = text(at, at + textLength);
	const types = records.map(({ offset, isDst, name }) => ({
		offset,
		isDst,
		abbreviation: names.slice(name, names.indexOf('\0', name))
	}));
	at += textLength + leaps * (timeBytes + 4) + standardFlags + utFlags;
	return { block: { version: text(4, 5), times, indices, types }, length: at };
}
