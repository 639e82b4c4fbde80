import { invalidArgument, outOfRange } from '../../runtime/errors.ts';
import { functionValue } from '../../runtime/validate.ts';
import { Socket } from '../net/socket.ts';

type Listener = (...args: unknown[]) => void;

/** Session or stream that emits `timeout` when nothing happens for some time. */
export interface Idle {
	readonly destroyed: boolean;
	timeout?: number;
	/** The running timer. */
	_idle: { refresh(): unknown; close(): unknown } | null;
	_onTimeout(): void;
	once(event: 'timeout', listener: Listener): unknown;
	removeListener(event: 'timeout', listener: Listener): unknown;
}

/**
 * Sets the time after which an idle session or stream emits `timeout`, 0 for never.
 * @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE
 */
export function setIdleTimeout(subject: Idle, ms: unknown, listener?: unknown): void {
	if (subject.destroyed) return;
	subject.timeout = ms as number;
	if (typeof ms !== 'number') throw invalidArgument('msecs', 'of type number', ms);
	if (!(ms >= 0 && Number.isFinite(ms))) throw outOfRange('msecs', 'a non-negative finite number', ms);
	subject._idle?.close();
	subject._idle = null;
	if (ms > 0) subject._idle = Socket.runtime.timers.setTimeout(() => subject._onTimeout(), ms).unref();
	if (listener === undefined) return;
	functionValue(listener, 'callback');
	if (ms > 0) subject.once('timeout', listener as Listener);
	else subject.removeListener('timeout', listener as Listener);
}
