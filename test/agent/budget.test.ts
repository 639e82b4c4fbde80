import { describe, expect, it } from 'vitest';
import { Budget, costOfEvents, innermost } from '#agent/budget.ts';
import type { SessionEvent } from '#agent/events.ts';
import type { Usage } from '#llm/types.ts';
import { emptyUsage } from '#llm/usage.ts';

const usage = (costUsd: number | null, inputTokens = 1): Usage => ({ ...emptyUsage(), inputTokens, costUsd });

describe('the budget', () => {
	const budget = (limits: { spendingCapUsd?: number; spentBesideUsd?: number }) => {
		const warnings: string[] = [];
		return {
			limits,
			warnings,
			budget: new Budget(
				() => limits,
				(message) => void warnings.push(message)
			)
		};
	};

	it('is exceeded once as much is spent as the cap, beside the conversation too', () => {
		const { budget: own, limits } = budget({ spendingCapUsd: 1 });
		own.add(usage(0.4), 'm');
		own.add(usage(0.5), 'm');
		expect(own.spentUsd).toBeCloseTo(0.9);
		expect(own.exceeded()).toBeNull();
		limits.spentBesideUsd = 0.2;
		expect(own.exceeded()).toEqual({ limit: 1, message: 'The spending cap of $1 is reached. Raise it to go on.' });
		delete limits.spentBesideUsd;
		limits.spendingCapUsd = own.spentUsd;
		expect(own.exceeded()).not.toBeNull();
		delete limits.spendingCapUsd;
		expect(own.exceeded()).toBeNull();
	});

	it('warns once of each model without a price that cost something, and again of all when the cap changes', () => {
		const { budget: own, warnings, limits } = budget({ spendingCapUsd: 2 });
		own.add(usage(null, 0), 'free');
		own.add(usage(0.1), 'priced');
		expect(warnings).toEqual([]);
		for (const model of ['a', 'a', 'b']) own.add(usage(null), model);
		expect(warnings).toEqual([
			'The spending cap of $2 cannot hold: no price is known for a, whose answers count as $0.',
			'The spending cap of $2 cannot hold: no price is known for b, whose answers count as $0.'
		]);
		limits.spendingCapUsd = 3;
		own.limitsChanged();
		expect(warnings.at(-1)).toBe(
			'The spending cap of $3 cannot hold: no price is known for a, b, whose answers count as $0.'
		);
		delete limits.spendingCapUsd;
		own.limitsChanged();
		own.add(usage(null), 'c');
		expect(warnings).toHaveLength(3);
		budget({ spendingCapUsd: 1 }).budget.limitsChanged();
	});

	it('says nothing when the cap changes and all models have prices', () => {
		const { budget: own, warnings } = budget({ spendingCapUsd: 1 });
		own.limitsChanged();
		expect(warnings).toEqual([]);
	});

	it('counts the usage of subagents at any depth', () => {
		const spent = { type: 'usage', usage: usage(0.5) } as unknown as SessionEvent;
		const nested = {
			type: 'subagent_event',
			event: { type: 'subagent_event', event: spent }
		} as unknown as SessionEvent;
		const other = { type: 'turn_start' } as unknown as SessionEvent;
		const free = { type: 'usage', usage: usage(null) } as unknown as SessionEvent;
		expect(costOfEvents([spent, nested, other, free])).toBe(1);
		expect(innermost(nested)).toBe(spent);
	});
});
