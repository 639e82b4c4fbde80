import type { SessionOptions } from './api.ts';
import { Budget, costOfEvents } from './budget.ts';
import type { EventBody } from './events.ts';
import type { ProjectHook } from './extensions/project-hooks/settings.ts';
import type { PermissionRule } from './guards/permission-rules.ts';
import type { PermissionMode } from './guards/permission-types.ts';
import type { SessionLog } from './session-log.ts';

/**
 * State that a session shares with its subagents at every depth: one mode, one list of allow rules and one budget. A
 * change in any of them applies to all from the next decision on.
 */
export class Family {
	/** Incremented with each change of mode or rules, so that stale decisions are detected. */
	version = 0;
	#mode: PermissionMode;
	#rules: readonly PermissionRule[];
	readonly #listeners = new Set<() => void>();
	/** Hooks of the project, as they were when the run started. */
	projectHooks: readonly ProjectHook[] = [];

	constructor(
		mode: PermissionMode,
		rules: readonly PermissionRule[],
		readonly budget: Budget
	) {
		this.#mode = mode;
		this.#rules = [...rules];
	}

	get mode(): PermissionMode {
		return this.#mode;
	}

	set mode(mode: PermissionMode) {
		if (mode === this.#mode) return;
		this.#mode = mode;
		this.#changed();
	}

	/** A new array after each change. */
	get rules(): readonly PermissionRule[] {
		return this.#rules;
	}

	set rules(rules: readonly PermissionRule[]) {
		this.#rules = [...rules];
		this.#changed();
	}

	/** Calls back after each change of mode or rules. Returns the unsubscriber. */
	onChange(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	#changed(): void {
		this.version += 1;
		for (const listener of [...this.#listeners]) listener();
	}
}

/**
 * Creates the family of a session that no other session started.
 * @param options the session's own object: the cap is read from it each time
 * @param log its earlier cost counts too
 */
export function foundFamily(options: SessionOptions, log: SessionLog, emit: (body: EventBody) => unknown): Family {
	const warn = (message: string): void => void emit({ type: 'warning', code: 'cap_without_price', message });
	const budget = new Budget(() => options, warn);
	budget.spentUsd = costOfEvents(log.branch().flatMap((entry) => (entry.type === 'event' ? [entry.event] : [])));
	return new Family(options.mode ?? 'ask', options.allowRules ?? [], budget);
}
