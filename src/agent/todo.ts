/** One entry of the agent's task list, written by the `todo` tool and shown by the page. */
export interface TodoItem {
	content: string;
	status: 'pending' | 'in_progress' | 'completed';
}
