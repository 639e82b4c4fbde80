/** Function of a tool, independent of its profile's name: the key of its renderer. */
export type ToolKind =
	| 'shell'
	| 'input'
	| 'read'
	| 'edit'
	| 'write'
	| 'patch'
	| 'search'
	| 'list'
	| 'todo'
	| 'agent'
	| 'ask'
	| 'web'
	| 'preview'
	| 'other';

const KINDS: Record<ToolKind, readonly string[]> = {
	shell: ['bash', 'shell', 'exec_command', 'run_shell_command'],
	/** Concerns a command that is already running. */
	input: [
		...['write_stdin', 'bashoutput', 'killshell', 'read_background_output', 'shell_input', 'shell_tail'],
		...['list_processes', 'list_background_processes']
	],
	read: ['read', 'read_file', 'read_many_files', 'view'],
	edit: ['edit', 'edit_file', 'replace', 'multiedit', 'multi_edit', 'str_replace'],
	write: ['write', 'write_file', 'create_file'],
	patch: ['apply_patch', 'patch'],
	search: ['grep', 'grep_search', 'grep_files', 'grep_page', 'search_file_content', 'glob', 'find'],
	list: ['ls', 'list', 'list_directory', 'list_dir'],
	todo: ['todo', 'todowrite', 'todo_write', 'write_todos', 'update_plan'],
	agent: [
		...['agent', 'task', 'run_agent', 'spawn_agent', 'send_input', 'wait_agent', 'wait', 'close_agent'],
		...['sendmessage', 'taskoutput', 'taskstop'],
		...['invoke_agent', 'message_agent', 'read_agent_output', 'stop_agent']
	],
	ask: ['ask_user', 'askuserquestion', 'request_user_input'],
	web: ['webfetch', 'web_fetch', 'websearch', 'web_search', 'google_web_search'],
	preview: ['preview'],
	other: []
};

const BY_NAME = new Map<string, ToolKind>(
	Object.entries(KINDS).flatMap(([kind, names]) => names.map((name) => [name, kind as ToolKind] as const))
);

/** Kind of a tool by its name in any profile; `other` for unknown names. */
export function toolKind(name: string): ToolKind {
	return BY_NAME.get(name.toLowerCase()) ?? 'other';
}
