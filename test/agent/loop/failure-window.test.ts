import { describe, expect, it } from 'vitest';
import { FailureWindow } from '#agent/loop/failure-window.ts';

const pushed = (outcomes: string, options = {}): FailureWindow => {
	const window = new FailureWindow(options);
	for (const outcome of outcomes) window.push(outcome === 'x');
	return window;
};

describe('FailureWindow', () => {
	it('counts failures among the last calls only [F-005-1] [F-005-2]', () => {
		expect(pushed('xx........').failures).toBe(2);
		expect(pushed('xx.........').failures).toBe(1);
		expect(pushed('xx..........').failures).toBe(0);
		expect(pushed('xx..........x').failures).toBe(1);
		expect(pushed('x..', { windowSize: 3 }).failures).toBe(1);
		expect(pushed('x...', { windowSize: 3 }).failures).toBe(0);
	});

	it('trips at the threshold, also before the window is full [F-005-3] [F-005-5] [F-005-e1]', () => {
		expect(pushed('xx').tripped).toBe(false);
		expect(pushed('xxx').tripped).toBe(true);
	});

	it('counts one failure and goes on [F-005-b6]', () => {
		expect(pushed('x')).toMatchObject({ failures: 1, tripped: false });
	});

	it('lets failures and successes alternate below the threshold [F-005-e2]', () => {
		expect(pushed('x.x.x.x.x.x.x.x.', { failureThreshold: 6 }).tripped).toBe(false);
	});

	it('trips at any failure with a window of one, whatever follows [F-005-b4]', () => {
		expect(pushed('..x.', { windowSize: 1, failureThreshold: 1 }).tripped).toBe(true);
	});

	it('counts nothing before the first call', () => {
		expect(pushed('').failures).toBe(0);
	});

	it.each([
		[{ windowSize: 2, failureThreshold: 3 }, 'failureThreshold', 'never be reached'],
		[{ windowSize: 0 }, 'windowSize', 'windowSize must be a whole number of at least 1.'],
		[{ windowSize: 3.5 }, 'windowSize', 'windowSize must be a whole number of at least 1.'],
		[{ failureThreshold: 0 }, 'failureThreshold', 'failureThreshold must be a whole number of at least 1.'],
		[{ failureThreshold: 1.5 }, 'failureThreshold', 'failureThreshold must be a whole number of at least 1.']
	])('refuses %j, and names the setting [F-005-b5]', (options, field, message) => {
		const make = () => new FailureWindow(options);
		expect(make).toThrow(message);
		expect(make).toThrow(expect.objectContaining({ field }));
	});
});
