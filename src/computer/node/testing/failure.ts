import { inspect } from 'node-inspect-extracted';
import { nodeError } from '../runtime/errors.ts';
import { errorDetails } from './error-details.ts';
import type { FailureType } from './failure-type.ts';

/** Why a test failed, in text: it crosses processes. */
export interface FailureReport {
	failureType: FailureType;
	message: string;
	/** The cause as formatted by `util.inspect`. */
	error: string;
	/** Node's error around the cause as formatted by `util.inspect`. */
	wrapped: string;
	/** Lines of the error in TAP. */
	details: string;
}

const causes = new WeakMap<FailureReport, unknown>();

/** Creates Node's error of a failure; one that was reported by another process has a description of its cause. */
export function errorOf(failure: FailureReport): Error {
	const { failureType, message, error: text } = failure;
	const cause = causes.has(failure) ? causes.get(failure) : describedCause(failure, text);
	return Object.assign(nodeError(Error, 'ERR_TEST_FAILURE', message), { failureType, cause });
}

function describedCause({ failureType, message }: FailureReport, text: string): unknown {
	const [first = text] = text.split('\n');
	const isOfProgram = failureType === 'testCodeFailure' || failureType === 'hookFailed';
	const [, name, code, words = message] = (isOfProgram && /^(\w*Error)(?: \[(\w+)\])?: (.*)/.exec(first)) || [];
	if (name === undefined) return message;
	const shown = failureType === 'hookFailed' ? words : message;
	return Object.assign(new Error(shown), { name, stack: text, ...(code === undefined ? {} : { code }) });
}

/** An error of the runner itself, with the kind of the failure. */
export function runnerError(failureType: FailureType, message: string): Error {
	return Object.assign(nodeError(Error, 'ERR_TEST_FAILURE', message), { failureType, cause: message });
}

/**
 * Describes what a test failed with.
 * @param kind what failed, unless the error is one of the runner
 * @param words message of Node's error; that of the cause by default
 */
export function failureReport(error: unknown, kind: FailureType, words?: string): FailureReport {
	const own = Object(error) as { failureType?: FailureType; cause?: unknown };
	const isOwn = error instanceof Error && Reflect.get(error, 'code') === 'ERR_TEST_FAILURE' && 'failureType' in error;
	const failureType = (isOwn && own.failureType) || kind;
	const cause = isOwn ? own.cause : error;
	const message = words ?? messageOf(cause);
	const around = withoutFrames(nodeError(Error, 'ERR_TEST_FAILURE', message));
	Object.assign(around, { failureType });
	Object.defineProperty(around, 'cause', { value: cause, configurable: true, enumerable: true, writable: true });
	const report = {
		failureType,
		message,
		error: inspect(cause, { breakLength: Infinity }),
		wrapped: inspect(around, { breakLength: Infinity }),
		details: errorDetails(around, failureType, cause)
	};
	causes.set(report, cause);
	return report;
}

/** Failures that Node counts as cancelled tests. */
export const isCancelled = ({ failureType }: FailureReport): boolean =>
	failureType === 'cancelledByParent' || failureType === 'testTimeoutFailure' || failureType === 'testAborted';

function messageOf(cause: unknown): string {
	if (cause instanceof Error) return cause.message;
	return typeof cause === 'string' ? cause : inspect(cause);
}

function withoutFrames(error: Error): Error {
	const stack = error.stack?.replace(/\n +at [^]*$/, '');
	return Object.defineProperty(error, 'stack', { value: stack, writable: true, configurable: true });
}
