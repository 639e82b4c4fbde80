import { LineSource } from '../input/line-source.ts';
import { TextOutput } from '../input/text-output.ts';
import { UsageError, utility } from '../options.ts';
import { PatternError, posixPattern } from './posix-pattern.ts';

type Section = 'h' | 'b' | 'f';
const SECTIONS: Record<number, Section> = { 3: 'h', 2: 'b', 1: 'f' };
const FORMATS: Record<string, (text: string, width: number) => string> = {
	ln: (text, width) => text.padEnd(width),
	rn: (text, width) => text.padStart(width),
	rz: (text, width) => (text.startsWith('-') ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0'))
};

/** `nl`: numbers lines, page by page. */
export const nl = utility(
	'b|body-numbering= h|header-numbering= f|footer-numbering= d|section-delimiter= i|line-increment= ' +
		'l|join-blank-lines= n|number-format= p|no-renumber s|number-separator= v|starting-line-number= w|number-width=',
	async (call, options) => {
		const styles = {
			h: numbers(options.get('h') ?? 'n'),
			b: numbers(options.get('b') ?? 't'),
			f: numbers(options.get('f') ?? 'n')
		};
		const first = wholeNumber(options.get('v') ?? '1', 'starting line number');
		const step = wholeNumber(options.get('i') ?? '1', 'line number increment');
		const width = options.number('w', 6);
		const [separator, blanks] = [options.get('s') ?? '\t', options.number('l', 1)];
		const format = FORMATS[options.get('n') ?? 'rn'];
		if (!format) throw new UsageError(`invalid line numbering format: '${options.get('n')}'`);
		if (width < 1) throw new UsageError(`invalid line number field width: '${width}'`);
		const given = options.get('d') ?? '\\:';
		const delimiter = given.length === 1 ? `${given}:` : given;
		const out = new TextOutput(call);
		const lines = new LineSource(call, options.operands);
		lines.beforeWaiting = () => out.flush();
		let [section, number, empty]: [Section, bigint, number] = ['b', first, 0];
		for (let line = await lines.next(); line; line = await lines.next()) {
			const { text } = line;
			const next = sectionOf(text, delimiter);
			if (next) {
				section = next;
				if (!options.has('p')) number = first;
				out.add('\n');
				continue;
			}
			empty = text === '' ? empty + 1 : 0;
			const isNumbered = styles[section](text) && (text !== '' || empty % blanks === 0);
			if (isNumbered && BigInt.asIntN(64, number) !== number) {
				await out.flush();
				throw new UsageError('line number overflow');
			}
			const prefix = isNumbered ? format(String(number), width) + separator : ' '.repeat(width + separator.length);
			if (isNumbered) number += step;
			out.add(`${prefix}${text}\n`);
			if (out.full) await out.flush();
		}
		await out.flush();
		return lines.status;
	}
);

/** Parses a 64-bit integer. @throws UsageError */
function wholeNumber(text: string, what: string): bigint {
	const number = /^\s*[-+]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : null;
	if (number === null) throw new UsageError(`invalid ${what}: '${text}'`);
	if (BigInt.asIntN(64, number) !== number)
		throw new UsageError(`invalid ${what}: '${text}': Value too large for defined data type`);
	return number;
}

/** Parses a style: returns a test whether a line is numbered. @throws UsageError */
function numbers(style: string): (text: string) => boolean {
	if (style === 'a') return () => true;
	if (style === 't') return (text) => text !== '';
	if (style === 'n') return () => false;
	if (!style.startsWith('p')) throw new UsageError(`invalid body numbering style: '${style}'`);
	try {
		const pattern = posixPattern(style.slice(1), { extended: false });
		return (text) => pattern.test(text);
	} catch (error) {
		throw error instanceof PatternError ? new UsageError(error.message) : error;
	}
}

/** Section started by a line that consists of one to three delimiters. */
function sectionOf(text: string, delimiter: string): Section | undefined {
	if (delimiter === '') return undefined;
	const count = text.length / delimiter.length;
	return text === delimiter.repeat(Math.floor(count)) ? SECTIONS[count] : undefined;
}
