import { AwkError, placed } from './faults.ts';
import { readWidths, splitAt, splitByContent, splitByWidths } from './fields.ts';
import type { AwkFiles } from './files.ts';
import { toText } from './format.ts';
import type { Position } from './nodes.ts';
import type { Ending } from './reader.ts';
import { CurrentRecord } from './record.ts';
import { awkPattern } from './regexps.ts';
import { AwkArray, type Cell, isTrue, RegexValue, toNumber, Untyped, type Value } from './values.ts';

/** Thrown by `next` and `exit`. */
export class NextJump {
	constructor(readonly ofFile: boolean) {}
}
export class ExitJump {
	constructor(readonly status: number | null) {}
}

/** Settings of a run. */
export interface Mode {
	posix: boolean;
	traditional: boolean;
	sandbox: boolean;
}

const DEFAULTS: readonly (readonly [string, Value])[] = [
	['ARGIND', 0],
	['BINMODE', 0],
	['CONVFMT', '%.6g'],
	['ERRNO', ''],
	['FIELDWIDTHS', ''],
	['FILENAME', ''],
	['FNR', 0],
	['FPAT', '[^[:space:]]+'],
	['FS', ' '],
	['IGNORECASE', 0],
	['LINT', 0],
	['NF', 0],
	['NR', 0],
	['OFMT', '%.6g'],
	['OFS', ' '],
	['ORS', '\n'],
	['PREC', 53],
	['RLENGTH', -1],
	['ROUNDMODE', 'N'],
	['RS', '\n'],
	['RSTART', 0],
	['RT', ''],
	['SUBSEP', '\x1c'],
	['TEXTDOMAIN', 'messages']
];

/** Variables and current record of a running program. */
export class Runtime {
	readonly record: CurrentRecord;
	/** Values of the global variables, by slot. */
	readonly globals: Cell[] = [];
	readonly slots = new Map<string, number>();
	/** Source position of the running code. */
	at: Position = { file: null, line: 0 };
	joiner = ' ';
	terminator = '\n';
	subscript = '\x1c';
	numberFormat = '%.6g';
	shownFormat = '%.6g';
	ignoreCase = false;
	/** Set to warn about legal but suspicious code. */
	lint = false;
	readonly #counted: number;
	readonly #countedOfFile: number;
	readonly #ended: number;
	/** Variable that defines how records are split into fields. */
	#cutBy: 'FS' | 'FPAT' | 'FIELDWIDTHS' = 'FS';
	#widths: ReturnType<typeof readWidths> = [];

	constructor(
		readonly files: AwkFiles,
		readonly mode: Mode,
		readonly name: string,
		/** Called regularly by loops; throws when the line was stopped. */
		readonly check: () => void
	) {
		for (const [name, value] of DEFAULTS) this.globals[this.slot(name)] = value;
		[this.#counted, this.#countedOfFile, this.#ended] = [this.slot('NR'), this.slot('FNR'), this.slot('RT')];
		this.record = new CurrentRecord({
			split: (text) => this.#split(text),
			joiner: () => this.joiner,
			text: (value) => this.text(value)
		});
		for (const name of ['ARGV', 'ENVIRON', 'PROCINFO']) this.globals[this.slot(name)] = new AwkArray(name);
		this.array('PROCINFO').set('FS', 'FS');
	}

	slot(name: string): number {
		let slot = this.slots.get(name);
		if (slot === undefined) {
			slot = this.globals.length;
			this.globals.push(undefined);
			this.slots.set(name, slot);
		}
		return slot;
	}

	/** Value of a scalar; an array counts as unset. */
	get(name: string): Value {
		if (name === 'NF') return this.record.count;
		const cell = this.globals[this.slot(name)];
		return cell instanceof AwkArray || cell instanceof Untyped ? undefined : cell;
	}

	/** Sets a variable and its side effects. */
	set(name: string, value: Value): void {
		if (name === 'NF') this.record.count = Math.trunc(toNumber(value));
		else {
			if (SETTERS[name]) this.#settle(name);
			this.globals[this.slot(name)] = value;
			SETTERS[name]?.(this, value);
		}
	}

	/** Returns whether setting a variable has side effects. */
	isSpecial(name: string): boolean {
		return name === 'NF' || name in SETTERS;
	}

	/** Splits pending fields by the rules that applied when their record was read. */
	#settle(name: string): void {
		if (name === 'FS' || name === 'FPAT' || name === 'FIELDWIDTHS' || name === 'IGNORECASE') void this.record.fields;
		if (name === 'OFS') void this.record.text;
	}

	cutBy(name: 'FS' | 'FPAT' | 'FIELDWIDTHS', value: Value): void {
		if (this.mode.traditional && name !== 'FS') return;
		if (name === 'FIELDWIDTHS') this.#widths = readWidths(this.text(value));
		this.#cutBy = name;
		this.array('PROCINFO').set('FS', name);
	}

	#split(text: string): string[] {
		if (this.#cutBy === 'FIELDWIDTHS') return splitByWidths(text, this.#widths);
		if (this.#cutBy === 'FPAT') return splitByContent(text, this.pattern(this.get('FPAT'))).pieces;
		const paragraphs = this.text(this.get('RS')) === '';
		const separator = this.separator();
		return splitAt(text, separator, { ignoreCase: this.ignoreCase, paragraphs }).pieces;
	}

	/** Separator for records and for `split` without one. */
	separator(): string | RegExp {
		const value = this.get('FS');
		return value instanceof RegexValue ? this.pattern(value) : this.text(value);
	}

	/** Converts a value to a pattern. */
	pattern(value: Value): RegExp {
		return awkPattern(this.text(value), this.ignoreCase);
	}

	/** Definition of record ends in the input. */
	ending(): Ending {
		const value = this.get('RS');
		const separator = this.text(value);
		if (this.mode.posix || this.mode.traditional)
			return { separator: separator.slice(0, 1), isPattern: false, ignoreCase: this.ignoreCase };
		return { separator, isPattern: separator.length > 1 || value instanceof RegexValue, ignoreCase: this.ignoreCase };
	}

	array(name: string): AwkArray {
		const slot = this.slot(name);
		const cell = this.globals[slot];
		if (cell instanceof AwkArray) return cell;
		if (cell !== undefined) throw new AwkError(`attempt to use scalar \`${name}' as an array`);
		const array = new AwkArray(name);
		this.globals[slot] = array;
		return array;
	}

	text(value: Value): string {
		return typeof value === 'string' ? value : toText(value, this.numberFormat);
	}

	/** Formats a value as `print` does. */
	shown(value: Value): string {
		return typeof value === 'number' ? toText(value, this.shownFormat) : this.text(value);
	}

	/** Key of an element: integers are independent of `CONVFMT`. */
	key(value: Value): string {
		return typeof value === 'string' ? value : toText(value, this.numberFormat);
	}

	/** Counts a record and stores its terminator. */
	count(terminator: string): void {
		const { globals } = this;
		globals[this.#counted] = toNumber(globals[this.#counted] as Value) + 1;
		globals[this.#countedOfFile] = toNumber(globals[this.#countedOfFile] as Value) + 1;
		globals[this.#ended] = terminator;
	}

	/** Current source position, as a prefix of messages. */
	place(): string {
		const count = toNumber(this.get('FNR'));
		const where = count > 0 ? `(FILENAME=${this.text(this.get('FILENAME')) || '-'} FNR=${count}) ` : '';
		return `${this.at.line > 0 ? placed(this.at) : ''}${where}`;
	}

	/** Prints a message on stderr, in order with other output. */
	warn(text: string): void {
		this.files.print(`${this.name}: ${this.place()}warning: ${text}\n`, 2);
	}

	isNonFatal(name: string): boolean {
		const information = this.array('PROCINFO');
		if (information.has('NONFATAL')) return true;
		const own = information.get(name);
		return information.has(`${name}\x1cNONFATAL`) || (own instanceof AwkArray && own.has('NONFATAL'));
	}
}

const SETTERS: Readonly<Record<string, (runtime: Runtime, value: Value) => void>> = {
	FS: (runtime, value) => runtime.cutBy('FS', value),
	FPAT: (runtime, value) => runtime.cutBy('FPAT', value),
	FIELDWIDTHS: (runtime, value) => runtime.cutBy('FIELDWIDTHS', value),
	OFS: (runtime, value) => void (runtime.joiner = runtime.text(value)),
	ORS: (runtime, value) => void (runtime.terminator = runtime.text(value)),
	SUBSEP: (runtime, value) => void (runtime.subscript = runtime.text(value)),
	CONVFMT: (runtime, value) => void (runtime.numberFormat = runtime.text(value)),
	OFMT: (runtime, value) => void (runtime.shownFormat = runtime.text(value)),
	LINT: (runtime, value) => {
		const wasOn = runtime.lint;
		runtime.lint = false;
		if (isTrue(value)) runtime.lint = true;
		else if (wasOn) runtime.warn("turning off `--lint' due to assignment to `LINT'");
	},
	IGNORECASE: (runtime, value) =>
		void (runtime.ignoreCase = !runtime.mode.traditional && !runtime.mode.posix && isTrue(value))
};
