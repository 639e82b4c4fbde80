import { LineSource, type Line } from '../input/line-source.ts';
import { TextOutput } from '../input/text-output.ts';
import { byBytes } from '../byte-order.ts';
import { UsageError, utility } from '../options.ts';

const SPECIFICATION = '1 2 3 check-order nocheck-order output-delimiter= total z|zero-terminated';

/** Lines of one file; checks their order while reading. */
class SortedLines {
	#last: string | null = null;
	isDisordered = false;

	constructor(private readonly source: LineSource) {}

	async next(): Promise<Line | null> {
		const line = await this.source.next();
		if (line && this.#last !== null && byBytes(this.#last, line.text) > 0) this.isDisordered = true;
		if (line) this.#last = line.text;
		return line;
	}
}

/** `comm`: compares two sorted files line by line. */
export const comm = utility(SPECIFICATION, async (call, options) => {
	const [first, second, extra] = options.operands;
	if (first === undefined) throw new UsageError('missing operand');
	if (second === undefined) throw new UsageError(`missing operand after '${first}'`);
	if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`);
	const delimiters = new Set(options.all('output-delimiter'));
	if (delimiters.size > 1) throw new UsageError('multiple output delimiters specified');
	const [given = '\t'] = delimiters;
	const delimiter = given === '' ? '\0' : given;
	const end = options.has('z') ? '\0' : '\n';
	const out = new TextOutput(call);
	const sources = [first, second].map((name) => new LineSource(call, [name], options.has('z') ? 0 : 10));
	const files = sources.map((source) => new SortedLines(source));
	const [left, right] = files;
	if (!left || !right) return 1;
	let [one, two] = [await left.next(), await right.next()];
	if (sources.some(({ status }) => status !== 0)) return 1;
	const columns = ['1', '2', '3'].filter((column) => !options.has(column));
	const counts = new Map([...'123'].map((column) => [column, 0]));
	const add = (column: string, line: Line | null) => {
		counts.set(column, (counts.get(column) ?? 0) + 1);
		const at = columns.indexOf(column);
		if (at >= 0) out.add(delimiter.repeat(at) + (line?.text ?? '') + end);
	};
	const checks = options.last('check-order', 'nocheck-order');
	const reported = new Set<SortedLines>();
	let isDifferent = false;
	while (one || two) {
		const order = !two ? -1 : !one ? 1 : byBytes(one.text, two.text);
		add(order < 0 ? '1' : order > 0 ? '2' : '3', order > 0 ? two : one);
		isDifferent ||= order !== 0;
		if (order <= 0) one = await left.next();
		if (order >= 0) two = await right.next();
		for (const [index, file] of files.entries()) {
			const counted = checks === 'check-order' || (checks === undefined && isDifferent);
			if (!counted || !file.isDisordered || reported.has(file)) continue;
			reported.add(file);
			await out.flush();
			await call.complain(`file ${index + 1} is not in sorted order`);
			if (checks === 'check-order') return 1;
		}
		if (out.full) await out.flush();
	}
	if (options.has('total')) out.add(`${[...counts.values()].join(given)}${given}total${end}`);
	await out.flush();
	if (reported.size > 0) await call.complain('input is not in sorted order');
	return reported.size > 0 ? 1 : 0;
});
