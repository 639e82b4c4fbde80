import { concat } from '#computer/process/text.ts';
import type { Call } from '#computer/shell/state/host.ts';
import type { OpenFile } from '#computer/shell/streams/open-file.ts';
import { eachInput } from '../input/each-input.ts';
import { UsageError, utility } from '../options.ts';

const [BACKSPACE, TAB, LINE_END, RETURN, SPACE] = [8, 9, 10, 13, 32];
const DEFAULT_WIDTH = 80;
const TAB_WIDTH = 8;
const PIECE_BYTES = 65_536;

/** `fold`: breaks lines at a width. Columns are bytes, as in GNU fold. */
const folded = utility('b|bytes s|spaces w|width=', (call, options) => {
	const widths = options.all('w').map(readWidth);
	const width = widths.at(-1) ?? DEFAULT_WIDTH;
	const isBytewise = options.has('b');
	return eachInput(call, options.operands, (file) => foldFile(call, file, width, isBytewise, options.has('s')));
});

/** Also accepts the traditional form `-5`. */
export const fold: typeof folded = (call) =>
	folded({ ...call, args: call.args.map((arg) => arg.replace(/^-([bs]*)(\d+)$/, '-$1w$2')) });

/** @throws UsageError */
function readWidth(text: string): number {
	if (!/^\s*\+?\d+$/.test(text)) throw new UsageError(`invalid number of columns: '${text}'`);
	const width = Number(text);
	if (width < 1 || width > Number.MAX_SAFE_INTEGER)
		throw new UsageError(`invalid number of columns: '${text}': Numerical result out of range`);
	return width;
}

async function foldFile(
	call: Call,
	file: OpenFile,
	width: number,
	isBytewise: boolean,
	breaksAtBlanks: boolean
): Promise<void> {
	const out = call.shell.descriptors.require(1);
	let line: number[] = [];
	let column = 0;
	const after = (byte: number, from: number): number => {
		if (isBytewise) return from + 1;
		if (byte === BACKSPACE) return Math.max(0, from - 1);
		if (byte === RETURN) return 0;
		return byte === TAB ? from + TAB_WIDTH - (from % TAB_WIDTH) : from + 1;
	};
	for (;;) {
		const piece = await call.shell.control.race(file.read(PIECE_BYTES));
		if (piece.length === 0) break;
		const done: Uint8Array[] = [];
		for (const byte of piece) {
			if (byte === LINE_END) {
				done.push(Uint8Array.from([...line, LINE_END]));
				[line, column] = [[], 0];
				continue;
			}
			while (after(byte, column) > width && line.length > 0) {
				const at = breaksAtBlanks ? line.findLastIndex((one) => one === SPACE || one === TAB) + 1 : 0;
				const end = at > 0 ? at : line.length;
				done.push(Uint8Array.from([...line.slice(0, end), LINE_END]));
				line = line.slice(end);
				column = line.reduce((total, one) => after(one, total), 0);
			}
			line.push(byte);
			column = after(byte, column);
		}
		await out.write(concat(done));
	}
	await out.write(Uint8Array.from(line));
}
