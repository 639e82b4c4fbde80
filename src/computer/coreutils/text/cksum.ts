import { concat } from '#computer/process/text.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility } from '../options.ts';
import { check, CHECKSUM_OPTIONS, checkOptions, lengthOf, writeSums } from './checksum.ts';
import { SumLines } from './checksum-line.ts';
import { algorithmOf, type DigestName, DIGESTS } from './digests.ts';
import { writeOldSums } from './sum.ts';
import { eachInput } from '../input/each-input.ts';

const TABLE = Uint32Array.from({ length: 256 }, (_entry, index) => {
	let value = index << 24;
	for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
	return value >>> 0;
});

const LEGACY = ['bsd', 'sysv', 'crc'];

/** `cksum`: POSIX's checksum of the bytes and their number, or the one requested by `-a`. */
export const cksum = utility(`a|algorithm= debug ${CHECKSUM_OPTIONS}`, async (call, options) => {
	const given = options.get('a');
	const name = given === undefined ? null : readAlgorithm(given);
	const isLegacy = name === null || LEGACY.includes(name);
	const digest = isLegacy ? null : (name as DigestName);
	if (options.has('l') && digest !== 'blake2b')
		throw new UsageError('--length is only supported with --algorithm=blake2b');
	checkOptions(options);
	if (options.has('c')) {
		if (name !== null && isLegacy) throw new UsageError('--check is not supported with --algorithm={bsd,sysv,crc}');
		return check(call, options, new SumLines(digest, digest !== null), digest ? DIGESTS[digest].tag : 'CRC');
	}
	if (digest) {
		const algorithm = algorithmOf(digest, await lengthOf(call, options, digest));
		return writeSums(call, options, algorithm, !options.has('untagged'));
	}
	if (name === 'bsd' || name === 'sysv') return writeOldSums(call, options.operands, name === 'sysv');
	return writeCrc(call, options.operands);
});

/** @throws UsageError */
function readAlgorithm(text: string): string {
	const names = [...LEGACY, ...Object.keys(DIGESTS)];
	if (names.includes(text)) return text;
	const valid = names.map((name) => `  - '${name}'`).join('\n');
	throw new UsageError(`invalid argument '${text}' for '--algorithm'\nValid arguments are:\n${valid}`, true);
}

const writeCrc = (call: Call, operands: readonly string[]): Promise<number> =>
	eachInput(call, operands, async (file, name) => {
		const bytes = concat([await call.shell.control.race(file.readAll())]);
		let sum = 0;
		const add = (byte: number) => (sum = ((sum << 8) ^ (TABLE[((sum >>> 24) ^ byte) & 255] ?? 0)) >>> 0);
		for (const byte of bytes) add(byte);
		for (let length = bytes.length; length > 0; length = Math.floor(length / 256)) add(length & 255);
		await call.out(`${~sum >>> 0} ${bytes.length}${name === '-' ? '' : ` ${name}`}\n`);
	});
