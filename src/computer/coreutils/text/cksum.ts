import { concat } from '#computer/process/text.ts';
import { utility } from '../options.ts';
import { eachInput } from '../input/each-input.ts';

const TABLE = Uint32Array.from({ length: 256 }, (_entry, index) => {
	let value = index << 24;
	for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
	return value >>> 0;
});

/** `cksum`: POSIX's checksum, over the bytes and their number. */
export const cksum = utility('a=', async (call, options) =>
	eachInput(call, options.operands, async (file, name) => {
		const bytes = concat([await call.shell.control.race(file.readAll())]);
		let sum = 0;
		const add = (byte: number) => (sum = ((sum << 8) ^ (TABLE[((sum >>> 24) ^ byte) & 255] ?? 0)) >>> 0);
		for (const byte of bytes) add(byte);
		for (let length = bytes.length; length > 0; length = Math.floor(length / 256)) add(length & 255);
		await call.out(`${~sum >>> 0} ${bytes.length}${name === '-' ? '' : ` ${name}`}\n`);
	})
);
