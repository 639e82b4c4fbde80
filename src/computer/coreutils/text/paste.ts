import { open, reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { C_ESCAPES } from '../c-escapes.ts';
import { LineSource } from '../input/line-source.ts';
import { TextOutput } from '../input/text-output.ts';
import { UsageError, utility } from '../options.ts';

const ESCAPES: Readonly<Record<string, string>> = { ...C_ESCAPES, a: 'a' };

/** `paste`: merges lines of files side by side, or the lines of each file into one. */
export const paste = utility('d|delimiters= s|serial z|zero-terminated', async (call, options) => {
	const delimiters = delimitersOf(options.get('d') ?? '\t');
	const end = options.has('z') ? '\0' : '\n';
	const names = options.operands.length > 0 ? options.operands : ['-'];
	const sources = await openAll(call, names, end.charCodeAt(0));
	if (!sources) return 1;
	const out = new TextOutput(call);
	return options.has('s') ? serial(sources, delimiters, end, out) : parallel(sources, delimiters, end, out);
});

/** Opens the operands; all `-` share one source. Null after an error about a missing file was reported. */
async function openAll(call: Call, names: readonly string[], delimiter: number): Promise<LineSource[] | null> {
	const stdin = new LineSource(call, [], delimiter);
	for (const name of names) {
		if (name === '-') continue;
		try {
			open(call.shell, name, '<').release();
		} catch (error) {
			await call.complain(`${name}: ${reason(error).replace(`${name}: `, '')}`);
			return null;
		}
	}
	return names.map((name) => (name === '-' ? stdin : new LineSource(call, [name], delimiter)));
}

/** @throws UsageError */
function delimitersOf(text: string): string[] {
	if (text === '') return [''];
	if (/(?:^|[^\\])(?:\\\\)*\\$/s.test(text))
		throw new UsageError(`delimiter list ends with an unescaped backslash: ${text}`);
	const pieces = text.match(/\\?./gsu) ?? [];
	return pieces.map((piece) => {
		if (!piece.startsWith('\\')) return piece;
		const letter = piece.slice(1);
		return letter === '0' ? '' : (ESCAPES[letter] ?? letter);
	});
}

async function serial(
	sources: readonly LineSource[],
	delimiters: readonly string[],
	end: string,
	out: TextOutput
): Promise<number> {
	let status = 0;
	for (const source of sources) {
		let count = 0;
		for (let line = await source.next(); line; line = await source.next()) {
			out.add((count === 0 ? '' : (delimiters[(count - 1) % delimiters.length] ?? '')) + line.text);
			count++;
			if (out.full) await out.flush();
		}
		status ||= source.status;
		out.add(end);
	}
	await out.flush();
	return status;
}

async function parallel(
	sources: readonly LineSource[],
	delimiters: readonly string[],
	end: string,
	out: TextOutput
): Promise<number> {
	for (;;) {
		let [row, isThere] = ['', false];
		for (const [index, source] of sources.entries()) {
			const line = await source.next();
			if (line) isThere = true;
			const isLast = index === sources.length - 1;
			row += (line?.text ?? '') + (isLast ? end : (delimiters[index % delimiters.length] ?? ''));
		}
		if (!isThere) break;
		out.add(row);
		if (out.full) await out.flush();
	}
	await out.flush();
	return sources.some(({ status }) => status !== 0) ? 1 : 0;
}
