import type { Script } from '../ast/nodes.ts';
import { redirect, targetWords } from '../execution/redirections.ts';
import { runScript } from '../execution/script.ts';
import { runSubshell } from '../execution/subshell.ts';
import type { Shell } from '../state/shell.ts';
import { ShellSyntaxError } from '../parser/error.ts';
import { parse } from '../parser/parse.ts';
import { OpenFile } from '../streams/open-file.ts';
import { collector } from '../streams/simple-streams.ts';
import { concat, decode } from '#computer/process/text.ts';

const LIMIT_BYTES = 64 * 1_048_576;

/** Output of a script run in a subshell, without trailing newlines and NULs. */
export async function substitute(shell: Shell, script: Script): Promise<string> {
	const file = plainFile(script);
	if (file) {
		const words = await targetWords(shell, file);
		const name = words[0] ?? '';
		const path = shell.path(name);
		const isDevice = /^\/dev\//.test(name);
		if (words.length !== 1 || isDevice) return clean(await capture(shell, (inner) => runOrCopy(inner, script)));
		shell.substitutionStatus = 0;
		if (shell.host.context.sync.statOrNull(path)?.kind === 'file') return clean(shell.host.context.sync.readFile(path));
		shell.complain(`${name}: No such file or directory`);
		shell.substitutionStatus = shell.status = 1;
		return '';
	}
	return clean(await capture(shell, (inner) => runScript(inner, script)));
}

/** Parses a script; null for a syntax error. */
function parseOrNull(source: string): Script | null {
	try {
		return parse(source);
	} catch (error) {
		if (error instanceof ShellSyntaxError) return null;
		throw error;
	}
}

/** The same for `` `…` ``, whose text is parsed now. */
export async function substituteSource(shell: Shell, source: string): Promise<string> {
	const script = /^\s*<[^<&(]/.test(source) ? parseOrNull(source) : null;
	if (script) return substitute(shell, script);
	return clean(
		await capture(shell, (inner) => inner.host.evaluate(inner, source, shell.line || 1, 'command substitution'))
	);
}

/** Runs a function in a subshell and returns its output; the status goes into `substitutionStatus`. */
export async function capture(shell: Shell, run: (inner: Shell) => Promise<number>): Promise<Uint8Array> {
	const sink = collector(LIMIT_BYTES);
	const status = await runSubshell(shell, async (inner) => {
		inner.descriptors.set(1, new OpenFile(sink.stream));
		if (!shell.shopt.has('inherit_errexit') && !shell.options.posix) inner.options.errexit = false;
		inner.traceDepth++;
		return run(inner);
	});
	shell.substitutionStatus = status;
	shell.status = status;
	return concat(sink.pieces);
}

/** Runs a script; if it is only `<file`, copies the content of the file. */
export async function runOrCopy(inner: Shell, script: Script): Promise<number> {
	const file = plainFile(script);
	if (!file || !(await redirect(inner, script.statements[0]?.pipelines[0]?.commands[0]?.redirections ?? [])))
		return file ? 1 : runScript(inner, script);
	await inner.descriptors.require(1).write(await inner.descriptors.require(0).readAll());
	return 0;
}

/** Returns the redirection of `$(<file)`. */
function plainFile(script: Script) {
	const command = script.statements.length === 1 ? script.statements[0]?.pipelines[0]?.commands[0] : undefined;
	if (command?.type !== 'SimpleCommand' || command.name || command.assignments.length > 0) return null;
	const [redirection] = command.redirections;
	const isPlain = redirection?.operator === '<' && redirection.fdVariable === null && (redirection.fd ?? 0) === 0;
	if (command.redirections.length !== 1 || !isPlain || redirection.target.type !== 'Word') return null;
	return redirection.target;
}

function clean(bytes: Uint8Array): string {
	return decode(bytes).replaceAll('\0', '').replace(/\n+$/, '');
}
