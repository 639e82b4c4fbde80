import type { TodoItem } from './todo.ts';

/** The agent's own task list. An update replaces it whole. */
export class TodoList {
	#items: TodoItem[];
	#revision = 0;

	constructor(items: readonly TodoItem[] = []) {
		this.#items = items.map((item) => ({ ...item }));
	}

	read(): TodoItem[] {
		return this.#items.map((item) => ({ ...item }));
	}

	replace(items: readonly TodoItem[]): void {
		this.#items = items.map((item) => ({ ...item }));
		this.#revision += 1;
	}

	/** Grows with each update. */
	get revision(): number {
		return this.#revision;
	}
}
