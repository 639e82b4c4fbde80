import type { OfferedTool } from './offered-tool.ts';

/** Each profile's names for the neutral tools. */
const names: Record<string, string[]> = {
	read_file: ['Read', 'read'],
	write_file: ['Write', 'write'],
	edit_file: ['Edit', 'replace', 'edit'],
	shell: ['Bash', 'exec_command', 'run_shell_command', 'bash'],
	grep: ['Grep', 'grep_search'],
	glob: ['Glob', 'find'],
	list_directory: ['list_dir', 'LS', 'ls'],
	web_fetch: ['WebFetch'],
	spawn_agent: ['Agent', 'invoke_agent'],
	ask_user: ['request_user_input'],
	todo: ['TodoWrite', 'update_plan']
};

/** Each profile's names for the parameters. */
const parameters: string[][] = [
	['path', 'file_path', 'filePath', 'dir_path'],
	['command', 'cmd'],
	['old_string', 'oldText', 'oldString'],
	['new_string', 'newText', 'newString'],
	['offset', 'start_line'],
	['limit'],
	['timeout_ms', 'timeout'],
	['replace_all', 'replaceAll', 'allow_multiple']
];

export interface AdaptedCall {
	name: string;
	arguments: Record<string, unknown>;
	/** The whole text of a call of a free-form tool. */
	input?: string;
}

/**
 * Converts a scripted call to the tools that a request offers. If a profile has no such tool, files are read or
 * listed through its shell and changed through its patch tool. A call of an unknown tool is unchanged.
 */
export function adaptCall(name: string, args: Record<string, unknown>, tools: OfferedTool[]): AdaptedCall {
	const direct = [name, ...(names[name] ?? [])];
	const tool = tools.find((each) => direct.includes(each.name));
	if (tool) return { name: tool.name, arguments: fit(args, tool) };
	const patch = tools.find((each) => each.name === 'apply_patch');
	const text = patch && patchText(name, args);
	if (patch && text !== undefined) {
		const key = patch.properties.includes('patch') ? 'patch' : 'input';
		return { name: patch.name, arguments: { [key]: text }, ...(patch.custom ? { input: text } : {}) };
	}
	const command = shellCommand(name, args);
	return command === undefined ? { name, arguments: args } : adaptCall('shell', { command }, tools);
}

function fit(args: Record<string, unknown>, tool: OfferedTool): Record<string, unknown> {
	const fitted: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(args)) {
		const group = parameters.find((each) => each.includes(name));
		if (!group || tool.properties.includes(name)) fitted[name] = value;
		else {
			const known = group.find((each) => tool.properties.includes(each));
			if (known) fitted[known] = value;
		}
	}
	if (tool.properties.includes('edits') && 'old_string' in args) {
		fitted['edits'] = [{ oldText: args['old_string'], newText: args['new_string'] }];
		delete fitted['oldText'];
		delete fitted['newText'];
	}
	for (const name of ['instruction', 'description']) {
		if (tool.required.includes(name) && !(name in fitted)) fitted[name] = 'Part of the task';
	}
	return fitted;
}

function patchText(name: string, args: Record<string, unknown>): string | undefined {
	const path = String(args['path']);
	const lines = (text: unknown, sign: string) =>
		String(text)
			.replace(/\n$/, '')
			.split('\n')
			.map((line) => sign + line);
	const wrap = (body: string[]) => ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n');
	if (name === 'write_file') return wrap([`*** Add File: ${path}`, ...lines(args['content'], '+')]);
	if (name !== 'edit_file') return undefined;
	return wrap([`*** Update File: ${path}`, '@@', ...lines(args['old_string'], '-'), ...lines(args['new_string'], '+')]);
}

function shellCommand(name: string, args: Record<string, unknown>): string | undefined {
	const quoted = (value: unknown) => `'${String(value).replaceAll("'", "'\\''")}'`;
	const path = args['path'] === undefined ? '.' : quoted(args['path']);
	if (name === 'read_file') return `cat ${path}`;
	if (name === 'list_directory') return `ls ${path}`;
	if (name === 'grep') return `grep -rn ${quoted(args['pattern'])} ${path}`;
	return name === 'glob' ? `find ${path} -path ${quoted(args['pattern'])}` : undefined;
}
