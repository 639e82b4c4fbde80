/** Encoding of bytes as text in units: a number of bytes becomes a number of characters. */
export interface Encoding {
	encode(bytes: Uint8Array): string;
	/** Stops at an invalid code; `isWhole` is false if there was one. */
	decode(text: string): { bytes: Uint8Array; isWhole: boolean };
	/** Characters that are not skipped by `--ignore-garbage`. */
	alphabet: RegExp;
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const BASE64 = `${UPPER}${UPPER.toLowerCase()}0123456789`;
const Z85 = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#';

/** Encodings of `basenc` by option name. */
export const ENCODINGS: Readonly<Record<string, Encoding>> = {
	base64: bitwise(`${BASE64}+/`, 4),
	base64url: bitwise(`${BASE64}-_`, 4),
	base32: bitwise(`${UPPER}234567`, 8),
	base32hex: bitwise(`0123456789${UPPER.slice(0, 22)}`, 8),
	base16: bitwise('0123456789ABCDEF', 2),
	base2msbf: bitwise('01', 8),
	base2lsbf: reversedBits(bitwise('01', 8)),
	z85: z85()
};

/** RFC 4648: each character encodes a few bits; `=` pads the last group of `groupLength`. */
function bitwise(letters: string, groupLength: number): Encoding {
	const bits = Math.log2(letters.length);
	const values = new Map([...letters].map((letter, value) => [letter, value]));
	const hasPadding = 8 % bits !== 0;
	return {
		alphabet: new RegExp(`[^${letters.replace('-', '\\-')}=]`, 'g'),
		encode(bytes) {
			let text = '';
			let [hold, held] = [0, 0];
			for (const byte of bytes) {
				hold = ((hold << 8) | byte) & 0xffff;
				for (held += 8; held >= bits; held -= bits) text += letters[(hold >> (held - bits)) & (letters.length - 1)];
			}
			if (held > 0) text += letters[(hold << (bits - held)) & (letters.length - 1)];
			return hasPadding ? text.padEnd(Math.ceil(text.length / groupLength) * groupLength, '=') : text;
		},
		decode(text) {
			const decoded: number[] = [];
			for (let start = 0; start < text.length; start += groupLength) {
				const group = text.slice(start, start + groupLength);
				const before = decoded.length;
				const padded = hasPadding && group.length === groupLength ? group.replace(/=+$/, '') : group;
				let [hold, held, count] = [0, 0, 0];
				for (const letter of padded) {
					const value = values.get(letter);
					if (value === undefined) break;
					count++;
					hold = ((hold << bits) | value) & 0xffff;
					held += bits;
					if (held < 8) continue;
					held -= 8;
					decoded.push((hold >> held) & 255);
				}
				// Bits that do not form a byte are only allowed in a padded group.
				const isWhole = count === padded.length && group.length === groupLength && held < bits;
				if (!isWhole && groupLength > 4) decoded.length = before;
				if (!isWhole) return { bytes: Uint8Array.from(decoded), isWhole };
			}
			return { bytes: Uint8Array.from(decoded), isWhole: true };
		}
	};
}

/** Same encoding, with the lowest bit of each byte first. */
function reversedBits(encoding: Encoding): Encoding {
	const turned = (text: string) => text.replace(/.{8}/gs, (bits) => [...bits].reverse().join(''));
	return {
		alphabet: encoding.alphabet,
		encode: (bytes) => turned(encoding.encode(bytes)),
		decode: (text) => encoding.decode(turned(text))
	};
}

/** ZeroMQ's encoding: four bytes as five digits in base 85. */
function z85(): Encoding {
	const values = new Map([...Z85].map((letter, value) => [letter, value]));
	return {
		alphabet: /[^0-9a-zA-Z.\-:+=^!/*?&<>()[\]{}@%$#]/g,
		encode(bytes) {
			const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
			let text = '';
			for (let at = 0; at + 4 <= bytes.length; at += 4) {
				let [value, unit] = [view.getUint32(at), ''];
				for (let digit = 0; digit < 5; digit++, value = Math.floor(value / 85)) unit = Z85.charAt(value % 85) + unit;
				text += unit;
			}
			return text;
		},
		decode(text) {
			const decoded: number[] = [];
			for (let start = 0; start < text.length; start += 5) {
				const unit = [...text.slice(start, start + 5)].map((letter) => values.get(letter) ?? NaN);
				const value = unit.length < 5 ? NaN : unit.reduce((total, digit) => total * 85 + digit, 0);
				if (!(value < 2 ** 32)) return { bytes: Uint8Array.from(decoded), isWhole: false };
				for (let shift = 24; shift >= 0; shift -= 8) decoded.push((value >>> shift) & 255);
			}
			return { bytes: Uint8Array.from(decoded), isWhole: true };
		}
	};
}
