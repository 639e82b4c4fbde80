import { parse as parseScript } from 'virtual:just-bash-parser';
import { restoreExtglob, withoutExtglob } from './extglob.ts';
import type { Command, Script, Statement } from './nodes.ts';
import { withoutSelect } from './select.ts';

/** Text that is not shell. `incomplete`: more lines could make it right. */
export class ShellSyntaxError extends Error {
	override readonly name = 'ShellSyntaxError';
	constructor(
		message: string,
		readonly incomplete: boolean
	) {
		super(message);
	}
}

const parsed = new Map<string, Script>();
const REMEMBERED = 500;

/**
 * The syntax tree of a script.
 * @throws ShellSyntaxError
 */
export function parse(source: string): Script {
	const known = parsed.get(source);
	if (known) return known;
	let script: Script;
	try {
		script = parseScript(source);
	} catch (error) {
		script = parseRewritten(source, error);
	}
	if (source.includes('<<')) {
		if (hasOpenHereDocument(script)) throw new ShellSyntaxError('here-document without its end', true);
		keepBodies(script, source);
	}
	if (endsOpen(script) || /(?:^|[^\\])(?:\\\\)*\\\n?$/.test(source)) {
		throw new ShellSyntaxError('syntax error: unexpected end of file', true);
	}
	if (/\|\s*\|(?!\|)/.test(source) && hasEmptyStage(script))
		throw new ShellSyntaxError("syntax error near unexpected token `|'", false);
	if (parsed.size >= REMEMBERED) parsed.clear();
	parsed.set(source, script);
	return script;
}

/** A second try where `select` or a pattern may be what the parser did not know. @throws ShellSyntaxError for the first failure */
function parseRewritten(source: string, failure: unknown): Script {
	const rewritten = withoutExtglob(withoutSelect(source));
	if (rewritten === source) throw syntaxError(source, failure);
	try {
		return restoreExtglob(parseScript(rewritten));
	} catch {
		throw syntaxError(source, failure);
	}
}

/** `a | | b`, which the parser lets through. */
function hasEmptyStage(script: Script): boolean {
	return script.statements.some(({ pipelines }) =>
		pipelines.some(({ commands }) => commands.length > 1 && commands.slice(0, -1).some(isEmpty))
	);
}

/** The text of a function on one line ends before its here-documents: they are put behind it, for `declare -f`. */
function keepBodies(script: Script, source: string): void {
	let from = 0;
	for (const statement of script.statements) {
		const text = statement.sourceText ?? '';
		from = Math.max(from, source.indexOf(text, from));
		const end = source.indexOf('\n', from + text.length);
		const [command] = statement.pipelines[0]?.commands ?? [];
		if (end > 0 && command?.type === 'FunctionDef' && text.includes('<<'))
			statement.sourceText = text + source.slice(end);
	}
}

function hasOpenHereDocument(node: unknown): boolean {
	if (typeof node !== 'object' || node === null) return false;
	if ('type' in node && node.type === 'HereDoc' && 'terminated' in node && node.terminated === false) return true;
	return Object.values(node).some(hasOpenHereDocument);
}

function syntaxError(source: string, error: unknown): ShellSyntaxError {
	const text = error instanceof Error ? error.message : String(error);
	if (/unexpected EOF|looking for matching|unexpected end of file/i.test(text)) {
		return new ShellSyntaxError(text.replace(/^In line \d+: /, ''), true);
	}
	const message = text.replace(/^Parse error at [\d:]+: /, '');
	return new ShellSyntaxError(message, stopsAtEnd(source, text));
}

/** Whether the parser ran out of text: then a continuation line may still complete it. */
function stopsAtEnd(source: string, message: string): boolean {
	const at = /^Parse error at (\d+):(\d+)/.exec(message);
	if (!at) return false;
	const lines = source.replace(/\s+$/, '').split('\n');
	const line = Number(at[1]);
	return line > lines.length || (line === lines.length && Number(at[2]) > (lines[line - 1] ?? '').length);
}

/** `ls |` and `a &&` parse with an empty last command. */
function endsOpen(script: Script): boolean {
	const last: Statement | undefined = script.statements.at(-1);
	if (!last || last.deferredError || last.background) return false;
	const pipeline = last.pipelines.at(-1);
	const command = pipeline?.commands.at(-1);
	const joined = last.pipelines.length > 1 || (pipeline?.commands.length ?? 0) > 1;
	return joined && command !== undefined && isEmpty(command);
}

function isEmpty(command: Command): boolean {
	return (
		command.type === 'SimpleCommand' &&
		command.name === null &&
		command.assignments.length === 0 &&
		command.redirections.length === 0
	);
}
