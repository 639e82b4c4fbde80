import type { AwkFiles } from './files.ts';
import { CurrentRecord } from './record.ts';
import { type AwkArray, toNumber, toText, type Value } from './values.ts';

/** `next` and `exit` on their way out, `return` with its value. */
export class NextJump {
	constructor(readonly ofFile: boolean) {}
}
export class ExitJump {
	constructor(readonly status: number | null) {}
}

/** The variables and the record of a running program. */
export class Runtime {
	readonly record: CurrentRecord;
	readonly arrays = new Map<string, AwkArray>();
	/** Values of the global variables, by slot. */
	readonly globals: Value[] = [];
	readonly #slots = new Map<string, number>();
	#seed = 0;
	#state = 1;

	constructor(
		readonly files: AwkFiles,
		/** Asked now and then by loops; throws when the line was stopped. */
		readonly check: () => void
	) {
		const defaults: [string, Value][] = [
			['FS', ' '],
			['OFS', ' '],
			['RS', '\n'],
			['ORS', '\n'],
			['SUBSEP', '\x1c'],
			['CONVFMT', '%.6g'],
			['OFMT', '%.6g'],
			['NR', 0],
			['FNR', 0],
			['RSTART', 0],
			['RLENGTH', -1],
			['FILENAME', '']
		];
		for (const [name, value] of defaults) this.set(name, value);
		this.record = new CurrentRecord({
			separator: () => this.separator(),
			joiner: () => this.text(this.get('OFS')),
			text: (value) => this.text(value),
			paragraphs: () => this.text(this.get('RS')) === ''
		});
	}

	slot(name: string): number {
		let slot = this.#slots.get(name);
		if (slot === undefined) {
			slot = this.globals.length;
			this.globals.push(undefined);
			this.#slots.set(name, slot);
		}
		return slot;
	}

	get(name: string): Value {
		return this.globals[this.slot(name)];
	}

	set(name: string, value: Value): void {
		if (name === 'NF') this.record.count = toNumber(value);
		else this.globals[this.slot(name)] = value;
	}

	array(name: string): AwkArray {
		let array = this.arrays.get(name);
		if (!array) this.arrays.set(name, (array = new Map()));
		return array;
	}

	separator(): string {
		return this.text(this.get('FS'));
	}

	format(): string {
		return typeof this.get('CONVFMT') === 'string' ? String(this.get('CONVFMT')) : '%.6g';
	}

	text(value: Value): string {
		return typeof value === 'string' ? value : toText(value, this.format());
	}

	/** Formats a value like `print`. */
	shown(value: Value): string {
		return typeof value === 'number' ? toText(value, String(this.get('OFMT'))) : this.text(value);
	}

	random(): number {
		this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) >>> 0;
		return (this.#state >>> 8) / 16_777_216;
	}

	/** Returns the seed that was. */
	seed(seed: number): number {
		const before = this.#seed;
		this.#seed = seed;
		this.#state = (seed ^ 0x5deece66) >>> 0;
		return before;
	}
}
