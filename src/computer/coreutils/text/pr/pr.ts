import { decode } from '#computer/process/text.ts';
import { open, reason } from '#computer/shell/execution/redirections.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { TextOutput } from '../../input/text-output.ts';
import { type Options, UsageError, utility } from '../../options.ts';
import { strftime } from '../../time/strftime.ts';
import { zoneOf } from '#computer/local-time/zone.ts';
import { Line } from './line.ts';
import { mergedPages, type Page, pagesOf, type Piece, piecesOf, shownLine } from './pages.ts';
import { HEAD_LINES, readOptions, type Settings, settingsOf } from './settings.ts';

const FRONT_LINES = 2;
const TAB_WIDTH = 8;

interface Input {
	name: string;
	pieces: Piece[];
	modifiedMs: number;
}

/**
 * `pr`: paginates files, with headers and columns. Its options have special forms, which are parsed before the others.
 */
export const pr: BuiltIn = (call) => {
	const { args } = call;
	const asked = args.filter((arg) => arg === '--help' || arg === '--version');
	const run = utility('', (inner) => {
		const options = readOptions(args);
		return new Printer(inner, options, settingsOf(options)).run();
	});
	return run({ ...call, args: asked });
};

class Printer {
	#page = 0;
	#number = 1;
	readonly #out: TextOutput;

	constructor(
		private readonly call: Call,
		private readonly options: Options,
		private readonly settings: Settings
	) {
		this.#out = new TextOutput(call);
		if (this.#columnWidth() < 1) throw new UsageError('page width too narrow');
	}

	async run(): Promise<number> {
		const names = this.options.operands.length > 0 ? this.options.operands : ['-'];
		const inputs: Input[] = [];
		let status = 0;
		for (const name of names) {
			const input = await this.#read(name);
			if (!input) status = 1;
			else if (this.settings.isMerged) inputs.push(input);
			else await this.#print(pagesOf(input.pieces, this.settings), input);
		}
		if (inputs.length > 0) {
			const pages = mergedPages(
				inputs.map(({ pieces }) => pieces),
				this.settings
			);
			await this.#print(pages, {
				name: '',
				modifiedMs: inputs.length === 1 ? (inputs[0]?.modifiedMs ?? 0) : Date.now()
			});
		}
		await this.#out.flush();
		return status;
	}

	/** Returns null after an error was reported. */
	async #read(name: string): Promise<Input | null> {
		const { shell } = this.call;
		const { sync } = shell.host.context;
		try {
			const stat = name === '-' ? null : sync.statOrNull(shell.path(name));
			if (stat?.kind === 'directory') throw new Error(`${name}: Is a directory`);
			const file = name === '-' ? shell.descriptors.require(0).retain() : open(shell, name, '<');
			try {
				const pieces = piecesOf(decode(await shell.control.race(file.readAll())));
				return { name: name === '-' ? '' : name, pieces, modifiedMs: stat?.modifiedMs ?? Date.now() };
			} finally {
				file.release();
			}
		} catch (error) {
			const why = reason(error).replace(`${name}: `, '');
			if (!this.options.has('r')) await this.call.complain(`${name}: ${why}`);
			return null;
		}
	}

	async #print(pages: Iterable<Page>, input: Pick<Input, 'name' | 'modifiedMs'>): Promise<void> {
		const { settings } = this;
		this.#page = 0;
		this.#number = settings.firstNumber ?? 1;
		for (const page of pages) {
			this.#page++;
			if (this.#page > settings.lastPage) break;
			if (this.#page < settings.firstPage) {
				if (settings.firstNumber === null) this.#number += page.rows.flat().length;
				continue;
			}
			this.#printPage(page, input);
			if (this.#out.full) await this.#out.flush();
		}
		if (settings.firstPage > Math.max(1, this.#page))
			await this.call.complain(`starting page number ${settings.firstPage} exceeds page count ${this.#page}`);
	}

	#printPage(page: Page, input: Pick<Input, 'name' | 'modifiedMs'>): void {
		const { settings } = this;
		if (settings.hasHeader) this.#out.add(this.#header(input));
		let lines = 0;
		const first = this.#number;
		for (const [row, cells] of page.rows.entries()) {
			this.#out.add(`${this.#row(cells, first, row, page)}\n`);
			lines++;
			const isLast = row === page.rows.length - 1 && (page.isBroken || settings.columns > 1);
			if (settings.isDouble && lines < settings.bodyLines && !isLast) {
				this.#out.add('\n');
				lines++;
			}
		}
		this.#number += settings.isMerged ? page.rows.length : page.rows.flat().filter((cell) => cell !== undefined).length;
		if (settings.hasHeader)
			this.#out.add(settings.usesFormFeeds ? '\f' : '\n'.repeat(Math.max(0, settings.bodyLines - lines) + HEAD_LINES));
		else if (page.isBroken && !settings.dropsFormFeeds) this.#out.add('\f');
	}

	#header({ name, modifiedMs }: Pick<Input, 'name' | 'modifiedMs'>): string {
		const zone = zoneOf(this.call.shell.variables.exported('TZ'));
		const date = strftime(this.options.get('D') ?? '%Y-%m-%d %H:%M', modifiedMs, zone);
		const title = this.options.get('h') ?? name;
		const page = `Page ${this.#page}`;
		const width = this.settings.headWidth - date.length - page.length - title.length;
		const left = Math.max(1, width >> 1);
		const right = Math.max(1, width - left);
		const blank = '\n'.repeat(FRONT_LINES);
		const margin = ' '.repeat(this.settings.indent);
		return `${margin}${blank}${margin}${date}${' '.repeat(left)}${title}${' '.repeat(right)}${page}${blank}\n`;
	}

	/** Width of a line number and its separator. */
	#numberWidth(): number {
		const { numbers, columns } = this.settings;
		if (!numbers) return 0;
		if (numbers.char !== '\t' || columns === 1) return numbers.width + 1;
		return numbers.width + TAB_WIDTH - (numbers.width % TAB_WIDTH);
	}

	#columnWidth(): number {
		const { width, columns, separator, isMerged } = this.settings;
		const numbers = isMerged ? this.#numberWidth() : 0;
		return Math.floor((width - numbers - (columns - 1) * separator.length) / columns);
	}

	#row(cells: Page['rows'][number], first: number, row: number, page: Page): string {
		const { settings } = this;
		const { isMerged, isAligned, separator, indent } = settings;
		const line = new Line(settings.compresses);
		line.moveTo(indent);
		let start = indent;
		if (isMerged) this.#addNumber(line, first + row);
		if (isMerged && settings.numbers) start += this.#numberWidth();
		for (let column = 0; column < cells.length; column++) {
			const text = cells[column];
			if (text !== undefined) {
				if (!isMerged) this.#addNumber(line, first + this.#indexOf(page, row, column));
				const room = this.#columnWidth() - (isMerged ? 0 : this.#numberWidth());
				const shown = shownLine(text, settings);
				line.add(settings.isTruncated ? [...shown].slice(0, Math.max(0, room)).join('') : shown);
			}
			if (column === cells.length - 1) break;
			start += this.#columnWidth();
			if (isAligned) line.moveTo(start);
			line.add(separator);
			start += separator.length;
		}
		return line.text;
	}

	#addNumber(line: Line, number: number): void {
		const { numbers, columns } = this.settings;
		if (!numbers) return;
		const from = line.column;
		line.add(String(number).padStart(numbers.width).slice(-numbers.width));
		if (numbers.char === '\t' && columns > 1) line.moveTo(from + this.#numberWidth());
		else line.add(numbers.char);
	}

	/** Number of lines on the page before a cell. */
	#indexOf({ rows }: Page, row: number, column: number): number {
		if (this.settings.isAcross) return row * this.settings.columns + column;
		let before = row;
		for (let one = 0; one < column; one++) before += rows.filter((cells) => cells[one] !== undefined).length;
		return before;
	}
}
