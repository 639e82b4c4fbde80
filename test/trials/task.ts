/** One task for the agent, as data: its repository, the calls that a sensible model makes, and how the outcome is judged. */
export interface Task {
	name: string;
	/** Message of the user. */
	request: string;
	repository: Repository;
	steps: readonly Step[];
	/** Commands whose findings on the finished tree are the same here and on a real machine. */
	verdicts: readonly Verdict[];
}

/** Published files of a pinned package, changed for the task. */
export interface Repository {
	package: string;
	version: string;
	/** Directory of the package that becomes the repository. Default: all of it. */
	below?: string;
	/** Published paths that are left out, by prefix. */
	without?: readonly string[];
	/** Written over the published files. */
	files?: Readonly<Record<string, string>>;
	/** Faults to find, or what the task needs otherwise. */
	replace?: readonly Replacement[];
	/** Whether the finished tree has packages to install before it is judged. */
	installs: boolean;
}

export interface Replacement {
	path: string;
	from: string;
	to: string;
}

/** One call of the model and what must come back. */
export interface Step {
	tool: string;
	arguments: Record<string, unknown>;
	/** Part of the result. */
	shows?: string;
	/** Not in the result. */
	hides?: string;
	/** The call is wrong on purpose, and the result says so. */
	fails?: boolean;
	/** Numbers as strings: the call is understood or refused with a sentence that says what is wrong. */
	lenient?: boolean;
}

export interface Verdict {
	kind: 'tests' | 'lint' | 'types' | 'build';
	command: string;
	/** Natively. Default: 0. */
	exitCode?: number;
}

/** @param files of the build, whose hashes are the finding */
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

/** The whole call with its numbers as strings, as some models send them. */
export function readWithStrings(path: string, offset: string, limit: string): Step {
	return { tool: 'Read', arguments: { file_path: `/workspace/${path}`, offset, limit }, lenient: true };
}

/** Text of a package.json. */
export function manifest(value: Record<string, unknown>): string {
	return `${JSON.stringify(value, null, '  ')}\n`;
}
