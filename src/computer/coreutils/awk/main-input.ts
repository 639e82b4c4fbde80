import { decode } from '#computer/process/text.ts';
import { open, reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import type { OpenFile } from '#computer/shell/streams/open-file.ts';
import { AwkError } from './faults.ts';
import { type Piece, RecordReader, TextPieces } from './reader.ts';
import type { Runtime } from './runtime.ts';
import { AwkArray, toNumber } from './values.ts';

/** Maximum number of bytes read from the input at once. */
const PIECE = 65_536;

/** Actions that run before and after each file. */
export interface FileActions {
	begin(): void;
	end(): void;
	/** Set if there are such actions: they have to handle unreadable files. */
	areThere: boolean;
}

/** Records of the files in `ARGV`, or of standard input. */
export class MainInput {
	#index = 1;
	#usedFile = false;
	#current: { reader: RecordReader; stream: OpenFile | null; pieces: TextPieces; isFound: boolean } | null = null;
	#isOver = false;
	failed = false;
	/** Called before waiting for standard input. */
	beforeWaiting: () => Promise<void> = () => Promise.resolve();

	constructor(
		private readonly call: Call,
		private readonly runtime: Runtime,
		private readonly assign: (text: string) => void,
		private readonly actions: FileActions
	) {}

	/** Reads standard input to its end, for a program that reads it in the middle of an action. */
	async hold(): Promise<void> {
		const { shell } = this.call;
		const stream = shell.descriptors.get(0);
		const text = stream ? decode(await shell.control.race(stream.readAll())) : '';
		const reader = new RecordReader();
		reader.feed(text);
		reader.feed(null);
		this.runtime.files.standardInput = reader;
	}

	/** Returns the next record; null at the end of the last file. */
	async next(): Promise<Piece | null> {
		for (;;) {
			const piece = this.take();
			if (piece !== 'more') return piece;
			await this.#read();
		}
	}

	/** Returns the next record in the middle of an action. */
	nextNow(): Piece | null {
		const piece = this.take();
		return piece === 'more' ? null : piece;
	}

	/** Returns the next record, `more` if it is not available yet. */
	take(): Piece | null | 'more' {
		while (!this.#isOver) {
			if (!this.#current && !this.#open()) break;
			const piece = this.#current?.reader.next(this.runtime.ending()) ?? null;
			if (piece !== null) return piece;
			this.skipFile();
		}
		return null;
	}

	async #read(): Promise<void> {
		const current = this.#current;
		if (!current?.stream) return;
		await this.beforeWaiting();
		const bytes = await this.call.shell.control.race(current.stream.read(PIECE));
		const text = current.pieces.text(bytes);
		if (text !== '') current.reader.feed(text);
		if (bytes.length === 0) current.reader.feed(null);
	}

	/** Skips the current file. */
	skipFile(): void {
		if (!this.#current) return;
		this.#current.stream?.release();
		this.#current = null;
		this.actions.end();
	}

	close(): void {
		this.#current?.stream?.release();
		this.#current = null;
		this.#isOver = true;
	}

	/** Opens the next file. Returns false if there is none. */
	#open(): boolean {
		for (let name = this.#nextName(); name !== null; name = this.#nextName()) {
			this.runtime.set('FILENAME', name.text);
			this.runtime.set('FNR', 0);
			this.runtime.set('ARGIND', name.index);
			if (this.#openFile(name.text)) return true;
		}
		this.#isOver = true;
		return false;
	}

	#nextName(): { text: string; index: number } | null {
		const { runtime } = this;
		const count = toNumber(runtime.get('ARGC'));
		while (this.#index < count) {
			const index = this.#index++;
			const cell = runtime.array('ARGV').get(String(index));
			const operand = cell instanceof AwkArray ? '' : runtime.text(cell);
			if (operand === '') continue;
			if (/^(?:[A-Za-z_]\w*::)?[A-Za-z_]\w*=/.test(operand)) {
				this.assign(operand);
				continue;
			}
			this.#usedFile = true;
			return { text: operand, index };
		}
		if (this.#usedFile) return null;
		this.#usedFile = true;
		return { text: '', index: 0 };
	}

	#openFile(name: string): boolean {
		const { shell } = this.call;
		const isInput = name === '' || name === '-' || name === '/dev/stdin';
		const held = this.runtime.files.standardInput;
		const start = (reader: RecordReader, stream: OpenFile | null) => {
			this.#current = { reader, stream, pieces: new TextPieces(), isFound: true };
			this.actions.begin();
			return this.#current !== null;
		};
		if (isInput && held) return start(held, null);
		const reader = new RecordReader();
		try {
			if (isInput) {
				const stream = shell.descriptors.get(0)?.retain() ?? null;
				if (!stream) reader.feed(null);
				return start(reader, stream);
			}
			const stat = shell.host.context.sync.statOrNull(shell.path(name));
			if (stat?.kind === 'directory') return this.#unreadable(name, 'Is a directory');
			if (held && stat?.kind === 'file') {
				reader.feed(decode(shell.host.context.sync.readFile(shell.path(name))));
				reader.feed(null);
				return start(reader, null);
			}
			return start(reader, open(shell, name, '<'));
		} catch (error) {
			if (!(error instanceof Error) || error instanceof AwkError) throw error;
			return this.#unreadable(name, reason(error).replace(`${name}: `, ''));
		}
	}

	/** Handles an unreadable file: either BEGINFILE does, or it is a non-fatal error. */
	#unreadable(name: string, why: string): boolean {
		const { runtime } = this;
		runtime.set('ERRNO', why);
		if (this.actions.areThere) {
			const reader = new RecordReader();
			reader.feed(null);
			this.#current = { reader, stream: null, pieces: new TextPieces(), isFound: false };
			this.actions.begin();
			if (this.#current) {
				this.#current = null;
				throw new AwkError(`cannot open file \`${name}' for reading: ${why}`);
			}
			return false;
		}
		const at = runtime.at;
		runtime.at = { file: null, line: 0 };
		if (why === 'Is a directory') runtime.warn(`command line argument \`${name}' is a directory: skipped`);
		else {
			runtime.files.print(
				`${runtime.name}: ${runtime.place()}fatal: cannot open file \`${name}' for reading: ${why}\n`,
				2
			);
			this.failed = true;
		}
		runtime.at = at;
		return false;
	}
}
