const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE = 128;

/** RFC 3492, section 6.1. */
function adapt(delta: number, count: number, isFirst: boolean): number {
	let left = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
	left += Math.floor(left / count);
	let k = 0;
	for (; left > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) left = Math.floor(left / (BASE - T_MIN));
	return Math.floor(k + ((BASE - T_MIN + 1) * left) / (left + SKEW));
}

const threshold = (k: number, bias: number) => (k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias);
const digit = (value: number) => String.fromCharCode(value < 26 ? value + 97 : value + 22);

/** @throws RangeError for invalid Punycode */
export function decode(input: string): string {
	const at = input.lastIndexOf('-');
	const output = [...input.slice(0, Math.max(at, 0))].map((character) => character.charCodeAt(0));
	if (output.some((code) => code >= 128)) throw new RangeError('Illegal input >= 0x80 (not a basic code point)');
	let [n, i, bias] = [FIRST_CODE, 0, FIRST_BIAS];
	for (let index = at > 0 ? at + 1 : 0; index < input.length;) {
		const before = i;
		for (let weight = 1, k = BASE; ; k += BASE) {
			const value = parseInt(input[index++] ?? '', 36);
			if (Number.isNaN(value)) throw new RangeError('Invalid input');
			const number = value < 10 ? value + 26 : value - 10;
			i += number * weight;
			const limit = threshold(k, bias);
			if (number < limit) break;
			weight *= BASE - limit;
		}
		const length = output.length + 1;
		bias = adapt(i - before, length, before === 0);
		n += Math.floor(i / length);
		i %= length;
		output.splice(i++, 0, n);
	}
	return String.fromCodePoint(...output);
}

export function encode(input: string): string {
	const codes = [...input].map((character) => character.codePointAt(0) ?? 0);
	let output = codes
		.filter((code) => code < 128)
		.map((code) => String.fromCharCode(code))
		.join('');
	const basic = output.length;
	let handled = basic;
	let [n, delta, bias] = [FIRST_CODE, 0, FIRST_BIAS];
	if (basic > 0) output += '-';
	while (handled < codes.length) {
		const next = Math.min(...codes.filter((code) => code >= n));
		delta += (next - n) * (handled + 1);
		n = next;
		for (const code of codes) {
			if (code < n) delta++;
			if (code !== n) continue;
			let q = delta;
			for (let k = BASE; ; k += BASE) {
				const limit = threshold(k, bias);
				if (q < limit) break;
				output += digit(limit + ((q - limit) % (BASE - limit)));
				q = Math.floor((q - limit) / (BASE - limit));
			}
			output += digit(q);
			bias = adapt(delta, handled + 1, handled === basic);
			delta = 0;
			handled++;
		}
		delta++;
		n++;
	}
	return output;
}

function mapLabels(domain: string, change: (label: string) => string): string {
	const [user, host] = domain.includes('@') ? domain.split('@') : ['', domain];
	const labels = (host ?? '')
		.replace(/[\u3002\uff0e\uff61]/g, '.')
		.split('.')
		.map(change);
	return `${user ? `${user}@` : ''}${labels.join('.')}`;
}

/** `node:punycode`. */
export const punycode = {
	version: '2.1.0',
	ucs2: {
		decode: (text: string) => [...text].map((character) => character.codePointAt(0)),
		encode: (codes: number[]) => String.fromCodePoint(...codes)
	},
	decode,
	encode,
	toASCII: (domain: string) =>
		mapLabels(domain, (label) => (/[^\0-\x7f]/.test(label) ? `xn--${encode(label)}` : label)),
	toUnicode: (domain: string) =>
		mapLabels(domain, (label) => (label.startsWith('xn--') ? decode(label.slice(4).toLowerCase()) : label))
};
