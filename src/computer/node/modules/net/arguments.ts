import { invalidValue } from '../../runtime/errors.ts';

interface FoundAddress {
	address: string;
	family: number;
}

/** Resolver of a program, called as `dns.lookup` is. */
export type Lookup = (
	host: string,
	options: { family: number | undefined; hints: number; all: boolean },
	done: (error: Error | null, address?: string | FoundAddress[], family?: number) => void
) => void;

/** First address that a resolver found; it answers with one or with a list. */
export function firstAddress(found: string | FoundAddress[] | undefined, family?: number): Partial<FoundAddress> {
	const [first] = [found].flat();
	return typeof first === 'object' ? first : { address: first, family };
}

export interface ConnectOptions {
	port?: number | string;
	host?: string;
	timeout?: number;
	/** A socket file. */
	path?: string;
	lookup?: Lookup;
	family?: number;
	hints?: number;
	/** Checked alone: the loopback has one address and gives out the ports. */
	localAddress?: string;
	localPort?: number;
	autoSelectFamily?: boolean;
	autoSelectFamilyAttemptTimeout?: number;
	noDelay?: boolean;
	keepAlive?: boolean;
	/** Milliseconds. */
	keepAliveInitialDelay?: number;
}

/** Reports whether text names a socket file: anything that is no number. */
const isFile = (text: unknown): text is string => typeof text === 'string' && !(Number(text) >= 0);

type Listener = (...args: unknown[]) => void;

/** `connect(options | port, host?, listener?)`, as `net` and its callers spell it. */
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
}

/** `listen(port?, host?, backlog?, listener?)`, or with an object. */
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
 * Options with the port or the socket file that a server listens at: the port counts where both are given.
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
