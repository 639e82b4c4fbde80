import { FILE_SYSTEMS } from '#computer/abi/file-systems.ts';
import type { Visited } from './visited.ts';
import { UsageError } from '../options.ts';

/** Parses a number to compare with: `+5` more than, `-5` less than, `5` exactly. @throws UsageError */
export function comparison(text: string, name: string): (value: number) => boolean {
	const [, sign = '', digits] = /^([-+]?)(\d+(?:\.\d+)?)$/.exec(text) ?? [];
	if (digits === undefined) throw new UsageError(`invalid argument \`${text}' to \`${name}'`);
	const count = Number(digits);
	if (sign === '+') return (value) => value > count;
	return sign === '-' ? (value) => value < count : (value) => value === count;
}

const REGEX_TYPES = [
	'findutils-default',
	'ed',
	'emacs',
	'gnu-awk',
	'grep',
	'posix-awk',
	'awk',
	'posix-basic',
	'posix-egrep',
	'egrep',
	'posix-extended',
	'posix-minimal-basic',
	'sed'
];

/** Checks whether a type of `-regextype` means extended regular expressions. @throws UsageError */
export function isExtendedRegex(type: string): boolean {
	if (!REGEX_TYPES.includes(type)) {
		const valid = REGEX_TYPES.map((one) => `'${one}'`).join(', ');
		throw new UsageError(`Unknown regular expression type '${type}'; valid types are ${valid}.`);
	}
	return /awk|egrep|extended/.test(type);
}

/** Parses the letters of `-type f,d`, including types that never occur here. @throws UsageError */
export function typesOf(name: string, list: string): string[] {
	if (list === '') throw new UsageError(`Arguments to ${name} should contain at least one letter`);
	if (/^[^,]{2,}/.test(list)) throw new UsageError(`Must separate multiple arguments to ${name} using: ','`);
	if (list.endsWith(','))
		throw new UsageError(`Last file type in list argument to ${name} is missing, i.e., list is ending on: ','`);
	const letters = list.split(',');
	for (const [index, letter] of letters.entries()) {
		if (!/^[fdlbcpsD]$/.test(letter)) throw new UsageError(`Unknown argument to ${name}: ${letter}`);
		if (letters.indexOf(letter) < index)
			throw new UsageError(`Duplicate file type '${letter}' in the argument list to ${name}.`);
	}
	return letters;
}

const DAY_MS = 86_400_000;

/** Test of `-used`: days between the last status change of a file and its last access. @throws UsageError */
export function usedTest(text: string): (file: Pick<Visited, 'stat'>) => boolean {
	const [, sign, digits] = /^([-+]?)(\d+(?:\.\d+)?)$/.exec(text) ?? [];
	if (digits === undefined) throw new UsageError(`invalid argument \`${text}' to \`-used'`);
	const wanted = Number(digits) * DAY_MS;
	return ({ stat }) => {
		const passed = stat.accessedMs - stat.changedMs;
		if (sign === '-') return passed < wanted;
		return passed > wanted && (sign === '+' || passed < wanted + DAY_MS);
	};
}

/** Test of `-size 5k`. @throws UsageError */
export function sizeTest(text: string): (file: Pick<Visited, 'stat'>) => boolean {
	const [, sign = '', digits = '', letter = ''] = /^([-+]?)(\d+)([^\d]*)$/.exec(text) ?? [];
	if (digits === '') throw new UsageError("invalid null argument to `-size'");
	if (!/^[bcwkMG]?$/.test(letter)) throw new UsageError(`invalid -size type \`${letter}'`);
	const unit = { c: 1, w: 2, k: 1024, M: 1_048_576, G: 1_073_741_824 }[letter] ?? 512;
	const compare = comparison(sign + digits, '-size');
	return ({ stat }) => compare(Math.ceil(stat.size / unit));
}

/** Test of `-fstype`. */
export function fileSystemTest(type: string): (file: Pick<Visited, 'stat'>) => boolean {
	const devices = new Set(FILE_SYSTEMS.filter((system) => system.type === type).map(({ device }) => device));
	return ({ stat }) => devices.has(stat.device);
}
