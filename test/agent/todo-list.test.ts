import { describe, expect, it } from 'vitest';
import { TodoList } from '#agent/todo-list.ts';

describe('a task list', () => {
	it('is a copy, and numbers its updates', () => {
		const given = [{ content: 'One', status: 'pending' as const }];
		const list = new TodoList(given);
		expect(list.revision).toBe(0);
		list.read()[0]!.content = 'Changed';
		expect(list.read()).toEqual(given);
		list.replace([]);
		expect([list.read(), list.revision]).toEqual([[], 1]);
		expect(new TodoList().read()).toEqual([]);
	});
});
