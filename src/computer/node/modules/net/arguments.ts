import { invalidValue } from '../../runtime/errors.ts';

interface FoundAddress {
	address: string;
	family: number;
}

/** A program's resolver, with the signature of `dns.lookup`. */
export type Lookup = (
	host: string,
	options: { family: number | undefined; hints: number; all: boolean },
	done: (error: Error | null, address?: string | FoundAddress[], family?: number) => void
) => void;

/** First address returned by a resolver, as a single one or a list. */
export function firstAddress(found: string | FoundAddress[] | undefined, family?: number): Partial<FoundAddress> {
	const [first] = [found].flat();
	return typeof first === 'object' ? first : { address: first, family };
}

export interface ConnectOptions {
	port?: number | string;
	host?: string;
	timeout?: number;
	/** Path of a socket file. */
	path?: string;
	lookup?: Lookup;
	family?: number;
	hints?: number;
	/** Only validated: the loopback has one address and assigns the ports. */
	localAddress?: string;
	localPort?: number;
	/** Addresses that are not connected to. */
	blockList?: unknown;
	autoSelectFamily?: boolean;
	autoSelectFamilyAttemptTimeout?: number;
	noDelay?: boolean;
	keepAlive?: boolean;
	/** Milliseconds. */
	keepAliveInitialDelay?: number;
}

/** Returns whether text is the path of a socket file: anything that is not a number. */
const isFile = (text: unknown): text is string => typeof text === 'string' && !(Number(text) >= 0);

type Listener = (...args: unknown[]) => void;

/** Parses `connect(options | port, host?, listener?)`, as used by `net` and its callers. */
export function connectArguments(args: unknown[]): { options: ConnectOptions; listener?: Listener } {
	const given = args.length === 1 && Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
	const listener = given.find(isListener);
	const [first, second] = given;
	if (typeof first === 'object' && first !== null) return { options: first, listener };
	if (given.length === 0 || typeof first === 'function') return { options: {}, listener };
	if (isFile(first)) return { options: { path: first }, listener };
	return { options: { port: first as number, host: typeof second === 'string' ? second : undefined }, listener };
}

export interface ListenOptions extends ConnectOptions {
	signal?: AbortSignal;
	/** In a worker of a cluster: a port of its own. */
	exclusive?: boolean;
}

/** Parses `listen(port?, host?, backlog?, listener?)`, or with an object. */
export function listenArguments(args: unknown[]): { options: ListenOptions; listener?: Listener } {
	const listener = args.find(isListener);
	const [first, second] = args;
	if (typeof first === 'object' && first !== null) return { options: withPlace(first), listener };
	if (isFile(first)) return { options: { path: first }, listener };
	const host = typeof second === 'string' ? second : undefined;
	if (typeof first === 'number' || typeof first === 'string') return { options: { port: first, host }, listener };
	if (first === undefined || first === null || typeof first === 'function')
		return { options: { port: 0, host }, listener };
	throw invalidValue('options', { port: first });
}

/**
 * Returns options with the port or the socket file of a server: the port takes precedence.
 * @throws TypeError `ERR_INVALID_ARG_VALUE` without either
 */
function withPlace(options: ListenOptions): ListenOptions {
	const { port, path } = options;
	if (typeof port === 'number' || typeof port === 'string') return { ...options, path: undefined };
	if (typeof path === 'string' && path !== '' && !/^\d+$/.test(path)) return options;
	if (port === null || (port === undefined && 'port' in options)) return { ...options, port: 0, path: undefined };
	if ('port' in options || 'path' in options) throw invalidValue('options', options);
	throw invalidValue('options', options, 'must have the property "port" or "path"');
}

function isListener(value: unknown): value is Listener {
	return typeof value === 'function';
}
