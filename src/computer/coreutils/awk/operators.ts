import { AwkError } from './faults.ts';
import type { Evaluate } from './frames.ts';
import { isTrue, toNumber } from './values.ts';

export const COMPARISONS = new Map<string, (a: number | string, b: number | string) => boolean>([
	['<', (a, b) => a < b],
	['<=', (a, b) => a <= b],
	['>', (a, b) => a > b],
	['>=', (a, b) => a >= b],
	['==', (a, b) => a === b],
	['!=', (a, b) => a !== b]
]);

export function arithmetic(operator: string): (a: number, b: number) => number {
	switch (operator) {
		case '+':
			return (a, b) => a + b;
		case '-':
			return (a, b) => a - b;
		case '*':
			return (a, b) => a * b;
		case '/':
			return (a, b) => {
				if (b === 0) throw new AwkError('division by zero attempted');
				return a / b;
			};
		case '%':
			return (a, b) => {
				if (b === 0) throw new AwkError("division by zero attempted in `%'");
				return a % b;
			};
		default:
			return (a, b) => a ** b;
	}
}

export function logical(operator: 'and' | 'or', left: () => boolean, right: () => boolean): Evaluate {
	if (operator === 'and') return () => (left() && right() ? 1 : 0);
	return () => (left() || right() ? 1 : 0);
}

export function unary(operator: string, value: Evaluate): Evaluate {
	if (operator === '!') return () => (isTrue(value()) ? 0 : 1);
	return operator === '-' ? () => -toNumber(value()) : () => toNumber(value());
}
