import type { Test } from '@vitest/runner';

export function fullName(test: Test): string {
	const names = [test.name];
	for (let suite = test.suite; suite; suite = suite.suite) names.unshift(suite.name);
	return names.join(' > ');
}
