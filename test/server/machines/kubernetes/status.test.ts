import { describe, expect, it } from 'vitest';
import { errorOf, exitCodeOf, KubernetesError } from '#server/machines/kubernetes/status.ts';

describe('an answer that is none of success', () => {
	it.each([
		[{ message: 'pods "a" is forbidden', reason: 'Forbidden' }, 'Kubernetes answered 403: pods "a" is forbidden'],
		[{ reason: 'Forbidden' }, 'Kubernetes answered 403: Forbidden'],
		[{}, 'Kubernetes answered 403: no reason given'],
		[{ message: 1 }, 'Kubernetes answered 403: no reason given'],
		['<html>', 'Kubernetes answered 403: no reason given'],
		[{ message: 'x'.repeat(1_001) }, `Kubernetes answered 403: ${'x'.repeat(1_000)}`]
	])('%j says %j', (body, message) => {
		const error = errorOf(403, typeof body === 'string' ? body : JSON.stringify(body));
		expect(error).toBeInstanceOf(KubernetesError);
		expect(error).toMatchObject({ name: 'KubernetesError', code: 403, message });
	});
});

describe('how a command ended', () => {
	const failed = (code: string, reason = 'NonZeroExitCode') =>
		JSON.stringify({
			status: 'Failure',
			reason,
			message: 'command terminated',
			details: {
				causes: [
					{ reason: 'Other', message: '9' },
					{ reason: 'ExitCode', message: code }
				]
			}
		});

	it('is its exit code', () => {
		expect(exitCodeOf('{"status":"Success"}')).toBe(0);
		expect(exitCodeOf(failed('1'))).toBe(1);
		expect(exitCodeOf(failed('137'))).toBe(137);
	});

	it.each([failed('1234'), failed('x1'), failed('1x'), failed(''), failed('1', 'InternalError')])(
		'is an error where it could not run: %s',
		(body) => {
			expect(() => exitCodeOf(body)).toThrow('Kubernetes could not run the command: command terminated');
		}
	);

	it('is an error where it is not said, or said without a cause', () => {
		for (const body of ['', 'null', '[]', '{"status":1}'])
			expect(() => exitCodeOf(body)).toThrow('Kubernetes did not say how the command ended.');
		for (const body of ['{}', '{"status":"Failure","reason":"NonZeroExitCode"}', '{"status":"Failure","details":{}}'])
			expect(() => exitCodeOf(body)).toThrow(/^Kubernetes could not run the command: $/);
		expect(() => exitCodeOf(`{"message":"${'x'.repeat(2_000)}"}`)).toThrow(/: x{1000}$/);
	});
});
