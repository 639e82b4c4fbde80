/** What a tool does, whatever its profile calls it: the key of its renderer. */
export type ToolKind =
	'shell' | 'read' | 'edit' | 'write' | 'patch' | 'search' | 'todo' | 'agent' | 'ask' | 'web' | 'other';

const KINDS: Record<ToolKind, readonly string[]> = {
	shell: ['bash', 'shell', 'exec_command', 'run_shell_command', 'write_stdin', 'bashoutput', 'killshell'],
	read: ['read', 'read_file', 'read_many_files', 'view'],
	edit: ['edit', 'edit_file', 'replace', 'multiedit', 'multi_edit', 'str_replace'],
	write: ['write', 'write_file', 'create_file'],
	patch: ['apply_patch', 'patch'],
	search: ['grep', 'grep_search', 'search_file_content', 'glob', 'find', 'ls', 'list', 'list_directory', 'list_dir'],
	todo: ['todo', 'todowrite', 'todo_write', 'write_todos', 'update_plan'],
	agent: ['agent', 'task', 'spawn_agent', 'send_input', 'wait_agent', 'wait', 'close_agent', 'invoke_agent'],
	ask: ['ask_user', 'askuserquestion', 'request_user_input'],
	web: ['webfetch', 'web_fetch', 'websearch', 'web_search', 'google_web_search'],
	other: []
};

const BY_NAME = new Map<string, ToolKind>(
	Object.entries(KINDS).flatMap(([kind, names]) => names.map((name) => [name, kind as ToolKind] as const))
);

/** The kind of a tool by the name a profile gave it; `other` for names nobody knows. */
export function toolKind(name: string): ToolKind {
	return BY_NAME.get(name.toLowerCase()) ?? 'other';
}
