/** A task for the agent, as data: its repository, the calls of a sensible model, and how the outcome is judged. */
export interface Task {
	name: string;
	/** User message. */
	request: string;
	repository: Repository;
	steps: readonly Step[];
	/** Commands whose findings on the finished tree must be the same here and on a real machine. */
	verdicts: readonly Verdict[];
}

/** Published files of a pinned package, modified for the task. */
export interface Repository {
	package: string;
	version: string;
	/** Directory of the package that becomes the repository. Default: the whole package. */
	below?: string;
	/** Published paths to omit, by prefix. */
	without?: readonly string[];
	/** Files that replace or complement the published ones. */
	files?: Readonly<Record<string, string>>;
	/** Replacements that introduce the faults to find, or other changes that the task needs. */
	replace?: readonly Replacement[];
	/** Packages have to be installed before the finished tree is judged. */
	installs: boolean;
}

export interface Replacement {
	path: string;
	from: string;
	to: string;
}

/** One call of the model and the expected result. */
export interface Step {
	tool: string;
	arguments: Record<string, unknown>;
	/** Text that the result contains. */
	shows?: string;
	/** Text that the result does not contain. */
	hides?: string;
	/** The call is intentionally wrong, and the result is an error. */
	fails?: boolean;
	/** Numbers are passed as strings: the call is either accepted, or refused with a message that says what is wrong. */
	lenient?: boolean;
}

export interface Verdict {
	kind: 'tests' | 'lint' | 'types' | 'build';
	command: string;
	/** Exit code on the real machine. Default: 0. */
	exitCode?: number;
}

/** @param files built files, whose hashes are the finding */
export function build(command: string, files: string): Verdict {
	return { kind: 'build', command: `${command} && sha256sum ${files}` };
}

/** @param shows part of the output */
export function bash(command: string, shows?: string): Step {
	return { tool: 'Bash', arguments: { command }, shows };
}

export function edit(path: string, from: string, to: string): Step {
	return { tool: 'Edit', arguments: { file_path: `/workspace/${path}`, old_string: from, new_string: to } };
}

export function write(path: string, content: string): Step {
	return { tool: 'Write', arguments: { file_path: `/workspace/${path}`, content } };
}

export function read(path: string, range: Record<string, unknown> = {}, shows?: string): Step {
	return { tool: 'Read', arguments: { file_path: `/workspace/${path}`, ...range }, shows };
}

/** A call with its numbers as strings, as some models send them. */
export function readWithStrings(path: string, offset: string, limit: string): Step {
	return { tool: 'Read', arguments: { file_path: `/workspace/${path}`, offset, limit }, lenient: true };
}

/** Contents of a package.json. */
export function manifest(value: Record<string, unknown>): string {
	return `${JSON.stringify(value, null, '  ')}\n`;
}
