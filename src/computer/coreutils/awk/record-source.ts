import type { Call } from '#computer/shell/state/host.ts';
import { LineSource } from '../input/line-source.ts';
import { awkPattern } from './record.ts';
import type { Runtime } from './runtime.ts';
import { toNumber } from './values.ts';

/** The records of the main input: files and assignments as `ARGV` names them, cut at `RS`. */
export class RecordSource {
	failed = false;
	beforeWaiting: () => Promise<void> = async () => {};
	#lines: LineSource | null = null;
	#pieces: string[] | null = null;
	#index = 1;
	#usedFile = false;
	#held: { record: string; file: string }[] | null = null;

	constructor(
		private readonly call: Call,
		private readonly runtime: Runtime,
		private readonly assign: (text: string) => void
	) {}

	/** Reads everything now: a program with a bare `getline` takes records in the middle of an action. */
	async holdAll(): Promise<void> {
		const held: { record: string; file: string }[] = [];
		for (let record = await this.next(); record !== null; record = await this.next())
			held.push({ record, file: this.runtime.text(this.runtime.get('FILENAME')) });
		this.runtime.set('FILENAME', '');
		this.#held = held;
	}

	/** The next of the records `holdAll` read. */
	nextHeld(): string | null {
		const next = this.#held?.shift();
		if (next) this.#enter(next.file);
		return next?.record ?? null;
	}

	#enter(file: string): void {
		if (this.runtime.text(this.runtime.get('FILENAME')) === file) return;
		this.runtime.set('FILENAME', file);
		this.runtime.set('FNR', 0);
	}

	async next(): Promise<string | null> {
		if (this.#held) return this.nextHeld();
		for (;;) {
			if (this.#pieces) {
				const piece = this.#pieces.shift();
				if (piece !== undefined) return piece;
				this.#pieces = null;
			}
			const line = await this.#lines?.next();
			if (line) return line.text;
			if (this.#lines?.status) this.failed = true;
			this.#lines = null;
			if (!(await this.#nextFile())) return null;
		}
	}

	skipFile(): void {
		this.#lines?.close();
		this.#lines = null;
		this.#pieces = null;
	}

	close(): void {
		this.#lines?.close();
	}

	async #nextFile(): Promise<boolean> {
		const { runtime } = this;
		const count = toNumber(runtime.get('ARGC'));
		for (;;) {
			if (this.#index >= count) {
				if (this.#usedFile) return false;
				this.#usedFile = true;
				return this.#open('-');
			}
			const operand = runtime.text(runtime.array('ARGV').get(String(this.#index++)));
			if (operand === '') continue;
			if (/^[A-Za-z_]\w*=/.test(operand)) {
				this.assign(operand);
				continue;
			}
			this.#usedFile = true;
			return this.#open(operand);
		}
	}

	async #open(name: string): Promise<boolean> {
		const separator = this.runtime.text(this.runtime.get('RS'));
		const plain = separator.length === 1 && separator.charCodeAt(0) < 128;
		const lines = new LineSource(this.call, [name], plain ? separator.charCodeAt(0) : 10);
		lines.beforeWaiting = () => this.beforeWaiting();
		this.runtime.set('FILENAME', name === '-' ? '' : name);
		this.runtime.set('FNR', 0);
		if (plain) {
			this.#lines = lines;
			return true;
		}
		let text = '';
		for (let line = await lines.next(); line; line = await lines.next()) text += line.text + (line.ended ? '\n' : '');
		if (lines.status) this.failed = true;
		if (separator === '')
			this.#pieces = text
				.replace(/^\n+|\n+$/g, '')
				.split(/\n{2,}/)
				.filter(Boolean);
		else {
			const pattern = awkPattern(separator);
			this.#pieces = text
				.replace(/\n$/, '')
				.split(new RegExp(pattern.source.replace(/\((?!\?)/g, '(?:'), pattern.flags));
		}
		return true;
	}
}
