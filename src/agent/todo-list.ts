import type { TodoItem } from './todo.ts';

/** Task list of the agent. An update replaces it completely. */
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

	/** Incremented with each update. */
	get revision(): number {
		return this.#revision;
	}
}
