import { ConfigValidationError } from '../session-errors.ts';
import type { TodoItem } from '../todo.ts';
import type { TodoStrategy } from './config.ts';

export const DEFAULT_STALE_TURNS = 10;
export const REMINDER_TEMPLATE =
	"[System Reminder] You have incomplete tasks that haven't been updated for {N} turns:\n{todo_list}\n" +
	'Please review and continue working on them, or mark them as completed if done.';

export interface Reminder {
	text: string;
	turnsSinceUpdate: number;
	items: TodoItem[];
}

/** Counts turns since the task list was last updated and decides when to remind the model (002 F-003). */
export class TodoReminders {
	#turnsSinceUpdate = 0;
	#revision: number;
	readonly #threshold: number;

	/** @throws ConfigValidationError for a negative threshold */
	constructor(private readonly strategy: TodoStrategy | undefined) {
		this.#threshold = strategy?.staleThresholdTurns ?? DEFAULT_STALE_TURNS;
		if (!(this.#threshold >= 0))
			throw new ConfigValidationError('staleThresholdTurns', 'staleThresholdTurns must be 0 or more.');
		this.#revision = strategy?.list.revision ?? 0;
	}

	/** Returns the reminder that is due at the start of a turn. */
	due(): Reminder | null {
		if (!this.strategy || this.strategy.enabled === false || this.#turnsSinceUpdate < this.#threshold) return null;
		const items = this.strategy.list.read();
		if (items.every((item) => item.status === 'completed')) return null;
		const list = items.map((item) => `- [${item.status}] ${item.content}`).join('\n');
		const text = (this.strategy.reminderTemplate ?? REMINDER_TEMPLATE)
			.replaceAll('{N}', () => String(this.#turnsSinceUpdate))
			.replaceAll('{todo_list}', () => list);
		return { text, turnsSinceUpdate: this.#turnsSinceUpdate, items };
	}

	/** Counts a finished turn. */
	turnEnded(): void {
		const revision = this.strategy?.list.revision ?? 0;
		this.#turnsSinceUpdate = revision === this.#revision ? this.#turnsSinceUpdate + 1 : 0;
		this.#revision = revision;
	}
}
