import { decode, encode } from '#computer/process/text.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { type Options, utility } from '../options.ts';
import { eachInput } from '../input/each-input.ts';

export const SPECIFICATION = 'R r N|LINE-NUMBERS S F|quit-if-one-screen X i I E e q Q n M m w W += p= x= s f K c d u';

/** `less` and `more`: page through text on a terminal; otherwise print it unchanged. */
export const less = utility(SPECIFICATION, async (call, options) => {
	const { shell } = call;
	const kernel = shell.descriptors.get(1)?.kernel;
	const { sync } = shell.host.context;
	if (kernel === undefined || !sync.isTerminal(kernel)) return copyInputs(call, options.operands);
	let text = '';
	const status = await eachInput(
		call,
		options.operands,
		async (file) => void (text += decode(await shell.control.race(file.readAll())))
	);
	const lines = text.replace(/\n$/, '').split('\n');
	const { rows, columns } = sync.terminalSize();
	if (lines.length < Math.max(2, rows) && options.has('F')) {
		await call.out(`${lines.join('\n')}\n`);
		return status;
	}
	const pager = new Pager(call, lines, options, Math.max(1, rows - 1), columns);
	sync.terminalMode('raw');
	await call.out('\x1b[?1049h');
	try {
		await pager.run();
		return status;
	} finally {
		await shell.descriptors.get(1)?.write(encode('\x1b[?1049l'));
		sync.terminalMode('cooked');
	}
});

function copyInputs(call: Call, names: readonly string[]): Promise<number> {
	const { control, descriptors } = call.shell;
	const sink = descriptors.require(1);
	return eachInput(call, names, async (file) => {
		for (;;) {
			const bytes = await control.race(file.read(65536));
			if (bytes.length === 0) return;
			await sink.write(bytes);
		}
	});
}

/** Pages through a text, controlled by keys. */
class Pager {
	/** Index of the first line on the screen. */
	#top = 0;
	#pattern = '';
	/** Message shown instead of the status, until the next redraw. */
	#note = '';
	readonly #last: number;
	/** Movements by key. */
	readonly #moves: Record<string, (() => unknown) | undefined>;

	constructor(
		private readonly call: Call,
		private readonly lines: string[],
		private readonly options: Options,
		private readonly height: number,
		private readonly columns: number
	) {
		this.#last = Math.max(0, lines.length - height);
		this.#moves = byKey([
			[[' ', 'f', '\x06', '\x1b[6~'], () => (this.#top += height)],
			[['b', '\x02', '\x1b[5~'], () => (this.#top -= height)],
			[['j', '\r', '\n', '\x1b[B'], () => this.#top++],
			[['k', 'y', '\x1b[A'], () => this.#top--],
			[['d', '\x04'], () => (this.#top += Math.floor(height / 2))],
			[['u', '\x15'], () => (this.#top -= Math.floor(height / 2))],
			[['g', '<', '\x1b[H'], () => (this.#top = 0)],
			[['G', '>', '\x1b[F'], () => (this.#top = this.#last)],
			[['n'], () => this.#search(this.#top + 1, 1)],
			[['N'], () => this.#search(this.#top - 1, -1)],
			[['/'], () => this.#askPattern()]
		]);
	}

	/** Draws and handles keys until one of them quits. */
	async run(): Promise<void> {
		for (;;) {
			await this.#draw();
			const key = await this.#readKey();
			if (key === '' || key === 'q' || key === 'Q' || key === '\x03') return;
			await this.#moves[key]?.();
		}
	}

	async #draw(): Promise<void> {
		this.#top = Math.min(Math.max(0, this.#top), this.#last);
		const page = this.lines
			.slice(this.#top, this.#top + this.height)
			.map((line, index) => (this.options.has('N') ? `${String(this.#top + index + 1).padStart(7)} ` : '') + line);
		while (page.length < this.height) page.push('~');
		const state = this.#note || (this.#top >= this.#last ? '(END)' : ':');
		this.#note = '';
		const width = this.options.has('R') ? undefined : this.columns;
		const shown = page.map((line) => `${line.slice(0, width)}\r\n`).join('');
		await this.call.out(`\x1b[H\x1b[2J${shown}\x1b[7m${state}\x1b[0m`);
	}

	#search(from: number, step: number): void {
		const wanted = this.#pattern.toLowerCase();
		for (let at = from; at >= 0 && at < this.lines.length; at += step) {
			if (!this.lines[at]?.toLowerCase().includes(wanted)) continue;
			this.#top = at;
			return;
		}
		this.#note = 'Pattern not found';
	}

	async #askPattern(): Promise<void> {
		this.#pattern = '';
		for (;;) {
			await this.call.out(`\r\x1b[K/${this.#pattern}`);
			const typed = await this.#readKey();
			if (typed === '\r' || typed === '\n') break;
			if (typed === '\x1b' || typed === '\x03' || typed === '') {
				this.#pattern = '';
				break;
			}
			this.#pattern = typed === '\x7f' ? this.#pattern.slice(0, -1) : this.#pattern + typed;
		}
		if (this.#pattern) this.#search(this.#top + 1, 1);
	}

	/** Keys are read from the terminal, even if the text is piped in. */
	async #readKey(): Promise<string> {
		const { control, host } = this.call.shell;
		return decode(await control.race(host.standard.input.read(32)));
	}
}

const byKey = <Move>(moves: [keys: string[], move: Move][]): Record<string, Move> =>
	Object.fromEntries(moves.flatMap(([keys, move]) => keys.map((key) => [key, move])));
