import { Options, parseOptions, UsageError } from '../../options.ts';

const SPECIFICATION =
	'columns= pages= a|across c|show-control-chars d|double-space D|date-format= e|expand-tabs=? F|form-feed f h|header= ' +
	'i|output-tabs=? J|join-lines l|length= m|merge n|number-lines=? N|first-line-number= o|indent= r|no-file-warnings ' +
	's|separator=? S|sep-string=? t|omit-header T|omit-pagination v|show-nonprinting w|width= W|page-width=';
/** Short options with a required value, and those with an optional one. */
const [VALUED, OPTIONAL] = ['DhlNowW', 'einsS'];
const DEFAULT = { length: 66, width: 72, digits: 5, tab: 8 };
/** Width if `-s` removes the limit. */
const NO_LIMIT = 512;
/** Lines of a page's header and footer. */
export const HEAD_LINES = 5;
const FRAME_LINES = 2 * HEAD_LINES;

/** Character and width given by `-e`, `-i` and `-n`. */
interface Marked {
	char: string;
	width: number;
}

/** Meaning of the options of `pr`. */
export interface Settings {
	columns: number;
	isAcross: boolean;
	isMerged: boolean;
	isDouble: boolean;
	hasHeader: boolean;
	usesFormFeeds: boolean;
	dropsFormFeeds: boolean;
	/** Number of text lines per page. */
	bodyLines: number;
	width: number;
	headWidth: number;
	isTruncated: boolean;
	isAligned: boolean;
	separator: string;
	expands: Marked | null;
	compresses: Marked | null;
	numbers: Marked | null;
	firstNumber: number | null;
	indent: number;
	firstPage: number;
	lastPage: number;
	/** Notation for non-printable characters. */
	shows: 'hats' | 'octal' | null;
}

/** Splits combined short options and reads the traditional `+2:5` and `-3`. @throws UsageError */
export function readOptions(args: readonly string[]): Options {
	const plain: string[] = [];
	for (let index = 0; index < args.length; index++) {
		const arg = args[index] ?? '';
		if (arg === '--') {
			plain.push(...args.slice(index));
			break;
		}
		if (/^\+\d+(?::\d+)?$/.test(arg)) plain.push(`--pages=${arg.slice(1)}`);
		else if (!/^-[^-]/.test(arg)) plain.push(arg);
		else if (splitLetters(arg.slice(1), plain)) plain.push(args[++index] ?? '');
	}
	return parseOptions(plain, SPECIFICATION);
}

/** Splits a group of short options. Returns true if the next argument is the value of the last one. */
function splitLetters(letters: string, plain: string[]): boolean {
	for (let at = 0; at < letters.length; at++) {
		const digits = /^\d+/.exec(letters.slice(at))?.[0];
		if (digits !== undefined) {
			plain.push(`--columns=${digits}`);
			at += digits.length - 1;
			continue;
		}
		const letter = letters.charAt(at);
		const rest = letters.slice(at + 1);
		plain.push((VALUED + OPTIONAL).includes(letter) ? `-${letter}${rest}` : `-${letter}`);
		if (OPTIONAL.includes(letter)) return false;
		if (VALUED.includes(letter)) return rest === '';
	}
	return false;
}

/** @throws UsageError */
export function settingsOf(options: Options): Settings {
	const isMerged = options.has('m');
	if (isMerged && options.has('columns'))
		throw new UsageError('cannot specify number of columns when printing in parallel');
	if (isMerged && options.has('a'))
		throw new UsageError('cannot specify both printing across and printing in parallel');
	const columns = isMerged ? options.operands.length || 1 : numberOf(options, 'columns', 1, 1, columnFault);
	const length = numberOf(
		options,
		'l',
		DEFAULT.length,
		1,
		(text) => `'-l PAGE_LENGTH' invalid number of lines: '${text}'`
	);
	const hasHeader = !options.has('t', 'T') && length > FRAME_LINES;
	const [firstPage, lastPage] = pagesOf(options.get('pages'));
	const isWide = columns > 1 || isMerged;
	return {
		...{ columns, isMerged, hasHeader, firstPage, lastPage, isAcross: options.has('a') && columns > 1 },
		...{ isDouble: options.has('d'), usesFormFeeds: options.has('F', 'f'), dropsFormFeeds: options.has('T') },
		bodyLines: hasHeader ? length - FRAME_LINES : length,
		...widthOf(options, isWide),
		expands: markOf(options, 'e', '\t', DEFAULT.tab) ?? (isWide ? { char: '\t', width: DEFAULT.tab } : null),
		compresses: compressionOf(options, isWide),
		numbers: markOf(options, 'n', '\t', DEFAULT.digits),
		firstNumber: options.has('N')
			? numberOf(options, 'N', 1, -Infinity, (text) => `'-N NUMBER' invalid starting line number: '${text}'`)
			: null,
		indent: numberOf(options, 'o', 0, 0, (text) => `'-o MARGIN' invalid line offset: '${text}'`),
		shows: options.has('v') ? 'octal' : options.has('c') ? 'hats' : null
	};
}

const columnFault = (text: string) => `invalid number of columns: '${text}'`;

function numberOf(
	options: Options,
	name: string,
	otherwise: number,
	least: number,
	fault: (text: string) => string
): number {
	const text = options.get(name);
	if (text === undefined) return otherwise;
	const value = /^\s*[-+]?\d+$/.test(text) ? Number(text) : NaN;
	if (Number.isNaN(value)) throw new UsageError(fault(text));
	if (value < least) throw new UsageError(`${fault(text)}: Numerical result out of range`);
	return value;
}

function pagesOf(text: string | undefined): [first: number, last: number] {
	if (text === undefined) return [1, Infinity];
	const [, first = '', last] = /^(\d+)(?::(\d+))?$/.exec(text) ?? [];
	const range: [number, number] = [Number(first), last === undefined ? Infinity : Number(last)];
	if (first === '' || range[0] < 1 || range[1] < range[0]) throw new UsageError(`invalid page range '${text}'`);
	return range;
}

function widthOf(
	options: Options,
	isWide: boolean
): Pick<Settings, 'width' | 'headWidth' | 'isTruncated' | 'isAligned' | 'separator'> {
	const fault = (letter: string) => (text: string) => `'-${letter} PAGE_WIDTH' invalid number of characters: '${text}'`;
	const isNarrow = options.has('w') && isWide;
	const width = options.has('W')
		? numberOf(options, 'W', DEFAULT.width, 1, fault('W'))
		: numberOf(options, 'w', DEFAULT.width, 1, fault('w'));
	const isJoined = options.has('J');
	const hasSeparator = options.has('s', 'S');
	const given = options.has('S') ? options.get('S') : options.get('s');
	if (options.has('s') && !options.has('S') && (given ?? '').length > 1)
		throw new UsageError(`'-s' extra characters or invalid number in the argument: '${given}'`);
	const isLoose = options.has('s') && !options.has('w', 'W');
	const otherwise = isJoined || (options.has('s') && !options.has('w')) ? '\t' : options.has('s', 'S') ? '' : ' ';
	return {
		width: isLoose && isWide ? NO_LIMIT : width,
		headWidth: width,
		isTruncated: !isJoined && !isLoose && (isWide || options.has('W')) && (isWide || !isNarrow),
		isAligned: isWide && !isJoined && !options.has('s'),
		separator: hasSeparator ? given || otherwise : otherwise
	};
}

/** Parses `X12`: a character, unless it is a digit, and a width. */
function markOf(options: Options, name: string, char: string, width: number): Marked | null {
	const text = options.get(name);
	if (text === undefined) return null;
	const first = /^\D/u.exec(text)?.[0];
	const digits = text.slice(first?.length ?? 0);
	if (!/^\d*$/.test(digits) || /^0+$/.test(digits))
		throw new UsageError(`'-${name}' extra characters or invalid number in the argument: '${digits}'`);
	return { char: first ?? char, width: digits === '' ? width : Number(digits) };
}

function compressionOf(options: Options, isWide: boolean): Marked | null {
	const given = markOf(options, 'i', '\t', DEFAULT.tab);
	return given ?? (isWide && !options.has('s', 'J') ? { char: '\t', width: DEFAULT.tab } : null);
}
