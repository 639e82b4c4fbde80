import { UsageError } from './options.ts';

/** Form in which sizes are shown: in units of a fixed size, or with the unit that fits best. */
export type BlockSize = { bytes: number; unit: string } | { base: 1000 | 1024 };

const UNITS = 'KMGTPEZY';

/** Parses `4K`, `MB`, `human-readable`, `si`. @throws UsageError naming the option */
export function readBlockSize(text: string, option: string): BlockSize {
	if ('human-readable'.startsWith(text) && text !== '') return { base: 1024 };
	if (text === 'si') return { base: 1000 };
	const [, digits = '', unit = '', end = ''] = /^'?(\d*)([kKMGTPEZY]?)(iB|B|)$/.exec(text) ?? [];
	const isKnown = digits !== '' || unit !== '';
	const value =
		Number(digits || 1) * (unit === '' ? 1 : (end === 'B' ? 1000 : 1024) ** (UNITS.indexOf(unit.toUpperCase()) + 1));
	if (!isKnown || value === 0 || (unit === '' && end !== ''))
		throw new UsageError(`invalid ${option} argument '${text}'`);
	return {
		bytes: value,
		unit: digits === '' ? (end === 'B' && unit === 'K' ? 'kB' : `${unit}${end === 'iB' ? 'iB' : end}`) : ''
	};
}

/** Block size set by the options of `ls`, `du` and `df`, else by the environment, else 1 KiB. */
export function blockSizeOf(
	given: readonly { name: string; value: string }[],
	environment: readonly (string | undefined)[]
): BlockSize {
	const last = given.findLast(({ name }) => /^[hkmBb]$|^si$/.test(name));
	if (last?.name === 'h') return { base: 1024 };
	if (last?.name === 'si') return { base: 1000 };
	if (last?.name === 'b') return { bytes: 1, unit: '' };
	if (last?.name === 'm') return { bytes: 1024 ** 2, unit: '' };
	if (last?.name === 'B') return readBlockSize(last.value, last.value.startsWith('-') ? '-B' : '--block-size');
	if (last) return { bytes: 1024, unit: '' };
	const variable = environment.find((value) => value !== undefined && value !== '');
	return variable === undefined ? { bytes: 1024, unit: '' } : readBlockSize(variable, '--block-size');
}

/** Formats a size in blocks, rounded up as by GNU's commands. */
export function inBlocks(bytes: number, size: BlockSize): string {
	if ('bytes' in size) return `${Math.ceil(bytes / size.bytes)}${size.unit}`;
	let [value, power] = [bytes, 0];
	for (; value >= size.base && power < UNITS.length; power++) value /= size.base;
	if (power === 0) return String(value);
	const tenths = Math.ceil(value * 10 - 1e-9) / 10;
	const rounded = tenths < 10 ? tenths.toFixed(1) : String(Math.ceil(value - 1e-9));
	const unit = UNITS[power - 1] ?? '';
	if (Number(rounded) >= size.base) return `1.0${UNITS[power] ?? ''}`;
	return `${rounded}${size.base === 1000 && unit === 'K' ? 'k' : unit}`;
}
