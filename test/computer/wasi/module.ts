/** A minimal WebAssembly assembler, enough to write a WASI command by hand. */
const leb = (value: number): number[] => {
	const bytes: number[] = [];
	for (let left = value; ;) {
		const byte = left & 0x7f;
		left >>= 7;
		const done = (left === 0 && !(byte & 0x40)) || (left === -1 && byte & 0x40);
		bytes.push(done ? byte : byte | 0x80);
		if (done) return bytes;
	}
};
const size = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...size(value >>> 7)]);
const name = (text: string) => [...size(text.length), ...new TextEncoder().encode(text)];
const section = (id: number, items: number[][]) => {
	const content = [...size(items.length), ...items.flat()];
	return [id, ...size(content.length), ...content];
};

const [I32, I64] = [0x7f, 0x7e];
const i32 = (value: number) => [0x41, ...leb(value)];
const i64 = (value: number) => [0x42, ...leb(value)];
const load = (at: number) => [...i32(at), 0x28, 2, 0];
const store = (at: number, value: number[]) => [...i32(at), ...value, 0x36, 2, 0];
const drop = 0x1a;

const IMPORTS = [
	{ name: 'args_sizes_get', takes: [I32, I32], gives: [I32] },
	{ name: 'args_get', takes: [I32, I32], gives: [I32] },
	{ name: 'path_open', takes: [I32, I32, I32, I32, I32, I64, I64, I32, I32], gives: [I32] },
	{ name: 'fd_read', takes: [I32, I32, I32, I32], gives: [I32] },
	{ name: 'fd_write', takes: [I32, I32, I32, I32], gives: [I32] },
	{ name: 'proc_exit', takes: [I32], gives: [] }
];
const call = (wanted: string, ...args: number[][]) => {
	const index = IMPORTS.findIndex((entry) => entry.name === wanted);
	return [...args.flat(), 0x10, index, ...(IMPORTS[index]?.gives.length ? [drop] : [])];
};

const [VECTOR, COUNT, OPENED, TEXT] = [32, 40, 8, 1024];
/** Reads up to 4096 bytes from a descriptor and writes them to stdout. */
const pass = (descriptor: number[]) => [
	...store(VECTOR, i32(TEXT)),
	...store(VECTOR + 4, i32(4096)),
	...call('fd_read', descriptor, i32(VECTOR), i32(1), i32(COUNT)),
	...store(VECTOR + 4, load(COUNT)),
	...call('fd_write', i32(1), i32(VECTOR), i32(1), i32(COUNT))
];

/** A command that prints the file named by its last argument, then its stdin, and exits with `exitCode`. */
export function printFileThenInput(exitCode: number): Uint8Array {
	const pointer = load(20);
	// Length of the argument: the end of all arguments minus its start and its NUL.
	const length = [...i32(63), ...load(4), 0x6a, ...pointer, 0x6b];
	const body = [
		0,
		...call('args_sizes_get', i32(0), i32(4)),
		...call('args_get', i32(16), i32(64)),
		...call('path_open', i32(3), i32(0), pointer, length, i32(0), i64(2), i64(0), i32(0), i32(OPENED)),
		...pass(load(OPENED)),
		...pass(i32(0)),
		...call('proc_exit', i32(exitCode)),
		0x0b
	];
	const types = [...IMPORTS, { takes: [], gives: [] }].map(({ takes, gives }) => [
		0x60,
		takes.length,
		...takes,
		gives.length,
		...gives
	]);
	return Uint8Array.from([
		...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
		...section(1, types),
		...section(
			2,
			IMPORTS.map((entry, index) => [...name('wasi_snapshot_preview1'), ...name(entry.name), 0, index])
		),
		...section(3, [[IMPORTS.length]]),
		...section(5, [[0, 1]]),
		...section(7, [
			[...name('memory'), 2, 0],
			[...name('_start'), 0, IMPORTS.length]
		]),
		...section(10, [[...size(body.length), ...body]])
	]);
}
