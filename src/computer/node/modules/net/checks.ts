import { inspect } from 'node-inspect-extracted';
import { invalidArgument, invalidValue, nodeError, outOfRange, received } from '../../runtime/errors.ts';
import { boolean, functionValue, integer } from '../../runtime/validate.ts';
import { isIP } from './address.ts';
import type { ConnectOptions } from './arguments.ts';

/** `dns.ADDRCONFIG`, `dns.V4MAPPED` and `dns.ALL` of Linux. */
const HINTS = 32 | 8 | 16;

/** Longest time that a timer can wait, in milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Converts a port to a number; text may be hexadecimal.
 * @throws RangeError `ERR_SOCKET_BAD_PORT`
 */
export function portOf(value: unknown, name: string): number {
	const isText = typeof value === 'string' && value.trim() !== '';
	const port = isText || typeof value === 'number' ? Number(value) : Number.NaN;
	if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
	const range = `${name} should be >= 0 and < 65536. Received ${received(value)}.`;
	throw nodeError(RangeError, 'ERR_SOCKET_BAD_PORT', range);
}

/** @throws ERR_INVALID_ARG_VALUE for stream modes that a connection cannot have */
export function checkStreamOptions(options: object): void {
	for (const name of ['objectMode', 'readableObjectMode', 'writableObjectMode']) {
		const value: unknown = Reflect.get(options, name);
		if (!value) continue;
		const words = `The property 'options.${name}' is not supported. Received ${inspect(value)}`;
		throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', words);
	}
}

/**
 * @throws ERR_MISSING_ARGS, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_IP_ADDRESS, ERR_SOCKET_BAD_PORT
 */
export function checkConnectOptions(options: ConnectOptions): void {
	if (options.path) return;
	const { port, localAddress, localPort, hints, lookup, autoSelectFamily, autoSelectFamilyAttemptTimeout } = options;
	if (!('port' in options)) {
		const words = 'The "options" or "port" or "path" argument must be specified';
		throw nodeError(TypeError, 'ERR_MISSING_ARGS', words);
	}
	if (localAddress && isIP(localAddress) === 0) {
		throw nodeError(TypeError, 'ERR_INVALID_IP_ADDRESS', `Invalid IP address: ${String(localAddress)}`);
	}
	if (localPort && typeof localPort !== 'number') {
		throw invalidArgument('options.localPort', 'of type number', localPort);
	}
	if (typeof port !== 'number' && typeof port !== 'string') {
		throw invalidArgument('options.port', 'one of type number or string', port);
	}
	portOf(port, 'Port');
	if (autoSelectFamily !== undefined && autoSelectFamily !== null)
		boolean(autoSelectFamily, 'options.autoSelectFamily');
	if (autoSelectFamilyAttemptTimeout !== undefined && autoSelectFamilyAttemptTimeout !== null) {
		integer(1, MAX_TIMEOUT_MS)(autoSelectFamilyAttemptTimeout, 'options.autoSelectFamilyAttemptTimeout');
	}
	if (hints !== undefined && hints !== 0 && (hints & ~HINTS) !== 0) throw invalidValue('hints', hints);
	if (lookup !== undefined && lookup !== null) functionValue(lookup, 'options.lookup');
}

/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
export function checkTimeout(ms: unknown, listener: unknown): void {
	if (typeof ms !== 'number') throw invalidArgument('msecs', 'of type number', ms);
	if (!(ms >= 0 && Number.isFinite(ms))) throw outOfRange('msecs', 'a non-negative finite number', ms);
	if (listener !== undefined) functionValue(listener, 'callback');
}
