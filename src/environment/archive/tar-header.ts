/** Size of a header, in bytes; contents are padded to a multiple of it. */
export const BLOCK = 512;
/** Field of the checksum within a header. */
export const CHECKSUM_START = 148;
export const CHECKSUM_END = 156;
const SPACE = 0x20;
/** Checksum of a block of zeros. */
export const EMPTY_CHECKSUM = SPACE * (CHECKSUM_END - CHECKSUM_START);
const NAME_BYTES = 100;
/** Without the NUL that ends the field. */
const OWNER_BYTES = 31;
const PREFIX_BYTES = 155;
const encoder = new TextEncoder();

/** Header of one member of a tar archive. Texts that are too long for their field are cut. */
interface TarHeader {
	/** `git` is POSIX as git writes it: with fields for devices and a checksum of seven digits. */
	format: 'v7' | 'gnu' | 'posix' | 'git';
	name: string | Uint8Array;
	/** Directories in front of the name, in POSIX formats only. */
	prefix?: string | Uint8Array;
	/** Path that a link points to. */
	target: string | Uint8Array;
	/** One character for the kind of member. */
	type: string;
	mode: number;
	/** Size of the content that follows, in bytes. */
	size: number;
	seconds: number;
	userId: number;
	groupId: number;
	user: string;
	group: string;
}

/** Writes a header with its checksum. */
export function tarHeader({ format, ...member }: TarHeader): Uint8Array {
	const block = new Uint8Array(BLOCK);
	const put = (field: string | Uint8Array, at: number, length: number) =>
		block.set((typeof field === 'string' ? encoder.encode(field) : field).subarray(0, length), at);
	put(member.name, 0, NAME_BYTES);
	put(number(member.mode, 8), 100, 8);
	put(number(member.userId, 8), 108, 8);
	put(number(member.groupId, 8), 116, 8);
	put(number(member.size, 12), 124, 12);
	put(number(member.seconds, 12), 136, 12);
	put(member.type, CHECKSUM_END, 1);
	put(member.target, 157, NAME_BYTES);
	if (format !== 'v7') {
		put(format === 'gnu' ? 'ustar  \0' : 'ustar\x0000', 257, 8);
		put(member.user, 265, OWNER_BYTES);
		put(member.group, 297, OWNER_BYTES);
	}
	if (format === 'git') {
		put(number(0, 8), 329, 8);
		put(number(0, 8), 337, 8);
	}
	if (member.prefix) put(member.prefix, 345, PREFIX_BYTES);
	const sum = checksumOf(block);
	put(format === 'git' ? number(sum, 8) : `${octal(sum, 6)}\0 `, CHECKSUM_START, CHECKSUM_END - CHECKSUM_START);
	return block;
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

/** Encodes a number in octal, or in GNU's base 256 if it is negative or too large. */
function number(value: number, width: number): string | Uint8Array {
	const whole = Math.floor(value);
	if (whole >= 0 && whole < 8 ** (width - 1)) return `${octal(whole, width - 1)}\0`;
	const bytes = new Uint8Array(width);
	let rest = BigInt(whole);
	for (let at = width - 1; at >= 0; at--, rest >>= 8n) bytes[at] = Number(rest & 0xffn);
	bytes[0] = (bytes[0] ?? 0) | 0x80;
	return bytes;
}

/** Sums the bytes of a header, counting its checksum field as spaces. */
export function checksumOf(block: Uint8Array): number {
	let sum = EMPTY_CHECKSUM;
	for (let at = 0; at < CHECKSUM_START; at++) sum += block[at] ?? 0;
	for (let at = CHECKSUM_END; at < BLOCK; at++) sum += block[at] ?? 0;
	return sum;
}
