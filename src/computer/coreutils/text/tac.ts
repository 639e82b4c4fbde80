import { encode, fromLatin1, toLatin1 } from '#computer/process/text.ts';
import { open, reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { PatternError, escapePattern, posixPattern } from './posix-pattern.ts';

/** `tac`: prints the records of each file in reverse order. */
export const tac = utility('b|before r|regex s|separator=', async (call, options) => {
	const separator = options.get('s') ?? '\n';
	const text = separator === '' && !options.has('r') ? '\0' : separator;
	const pattern = patternOf(text, options.has('r'));
	let status = 0;
	for (const name of options.operands.length > 0 ? options.operands : ['-']) {
		const content = await contentOf(call, name);
		if (content === null) status = 1;
		else await call.shell.descriptors.require(1).write(fromLatin1(reversed(content, pattern, options.has('b'))));
	}
	return status;
});

/** @throws UsageError */
function patternOf(separator: string, isPattern: boolean): RegExp {
	if (!isPattern) return new RegExp(escapePattern(toLatin1(encode(separator))), 'y');
	if (separator === '') throw new UsageError('separator cannot be empty');
	try {
		return new RegExp(posixPattern(separator, { extended: false }).source, 'ysum');
	} catch (error) {
		throw error instanceof PatternError ? new UsageError(error.message) : error;
	}
}

/** Reads a file as one character per byte; null after an error was reported. */
async function contentOf(call: Call, name: string): Promise<string | null> {
	const { shell } = call;
	if (name !== '-' && shell.host.context.sync.statOrNull(shell.path(name))?.kind === 'directory') {
		await call.complain(`${name}: read error: Invalid argument`);
		return null;
	}
	try {
		const file = name === '-' ? shell.descriptors.require(0).retain() : open(shell, name, '<');
		try {
			return toLatin1(await shell.control.race(file.readAll()));
		} finally {
			file.release();
		}
	} catch (error) {
		const why = reason(error).replace(`${name}: `, '');
		await call.complain(`failed to open ${quoted(name)} for reading: ${why}`);
		return null;
	}
}

/** Searches separators from the end, so that a pattern matches the one that starts last. */
function reversed(content: string, pattern: RegExp, isBefore: boolean): string {
	const records: string[] = [];
	let [end, limit] = [content.length, content.length];
	for (let at = limit - 1; at >= 0; at--) {
		pattern.lastIndex = at;
		const match = pattern.exec(limit === content.length ? content : content.slice(0, limit));
		if (!match || match[0] === '') continue;
		const cut = isBefore ? at : at + match[0].length;
		if (cut < end) records.push(content.slice(cut, end));
		[end, limit] = [cut, at];
	}
	records.push(content.slice(0, end));
	return records.join('');
}
