import { HOST_NAME } from '#computer/abi/host-name.ts';
import { nodeError, systemError, unsupported, type NodeError } from '../runtime/errors.ts';

type Callback = (error: Error | null, ...results: unknown[]) => void;
interface LookupOptions {
	all?: boolean;
	family?: number | string;
}

const CODES = [
	'NODATA',
	'FORMERR',
	'SERVFAIL',
	'NOTFOUND',
	'NOTIMP',
	'REFUSED',
	'BADQUERY',
	'BADNAME',
	'BADFAMILY',
	'BADRESP',
	'CONNREFUSED',
	'TIMEOUT',
	'EOF',
	'FILE',
	'NOMEM',
	'DESTRUCTION',
	'BADSTR',
	'BADFLAGS',
	'NONAME',
	'BADHINTS',
	'NOTINITIALIZED',
	'LOADIPHLPAPI',
	'ADDRGETNETWORKPARAMS',
	'CANCELLED'
];
const RESOLVERS = [
	'resolve',
	'resolve4',
	'resolve6',
	'resolveAny',
	'resolveCaa',
	'resolveCname',
	'resolveMx',
	'resolveNaptr',
	'resolveNs',
	'resolvePtr',
	'resolveSoa',
	'resolveSrv',
	'resolveTlsa',
	'resolveTxt',
	'reverse',
	'lookupService'
];
const ADVICE = 'Names are looked up outside the sandbox, when fetch() asks.';

/**
 * `node:dns`: resolves this machine's own name and addresses; other names are only resolved outside the sandbox, for
 * `fetch()`.
 */
export function createDns(): Record<string, unknown> {
	let order = 'verbatim';
	const find = async (name: string, options: LookupOptions | number = {}): Promise<unknown> => {
		const { family, all } = typeof options === 'number' ? { family: options, all: false } : options;
		const address = known(name, Number(family) || 0);
		return all === true ? [address] : address;
	};
	const refuse = (name: string) => async (): Promise<never> => {
		throw unsupported(`dns.${name}()`, ADVICE);
	};
	const refused = RESOLVERS.map((name) => [name, refuse(name)] as const);
	const shared = {
		...Object.fromEntries(CODES.map((name) => [name, name === 'CANCELLED' ? 'ECANCELLED' : `E${name}`])),
		getServers: (): string[] => [],
		setServers: (): void => {
			throw unsupported('dns.setServers()', ADVICE);
		},
		getDefaultResultOrder: () => order,
		setDefaultResultOrder: (given: string) => void (order = given)
	};
	const { getServers, setServers } = shared;
	const resolver = (calls: object) => resolverClass({ getServers, setServers, ...calls });
	const awaited = Object.fromEntries(refused);
	const promises = { ...shared, ...awaited, Resolver: resolver(awaited), lookup: find };
	const lookup = (name: string, ...rest: unknown[]): void => {
		const callback = rest.pop() as Callback;
		if (typeof callback !== 'function')
			throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'The "callback" argument must be of type function.');
		find(name, rest[0] as LookupOptions | number | undefined).then(
			(result) => (Array.isArray(result) ? callback(null, result) : callback(null, ...Object.values(result as object))),
			callback
		);
	};
	const called = Object.fromEntries(
		refused.map(([name, call]) => [name, (...args: unknown[]) => void call().catch(args.pop() as Callback)])
	);
	return { ...shared, ...called, Resolver: resolver(called), lookup, promises, ADDRCONFIG: 32, ALL: 16, V4MAPPED: 8 };
}

/** Creates `dns.Resolver`. Packages create one with their first client, and use it only if they are configured to. */
function resolverClass(calls: object): new () => object {
	class Resolver {
		cancel(): void {
			// No request is under way.
		}
	}
	Object.assign(Resolver.prototype, calls);
	return Resolver;
}

/** @throws ENOTFOUND */
function known(name: string, family: number): { address: string; family: number } {
	if (/^\d+\.\d+\.\d+\.\d+$/.test(name)) return { address: name, family: 4 };
	if (name.includes(':')) return { address: name, family: 6 };
	if (name === 'localhost' || name === HOST_NAME || name === '') {
		return family === 6 ? { address: '::1', family: 6 } : { address: '127.0.0.1', family: 4 };
	}
	const error: NodeError = systemError('ENOTFOUND', 'getaddrinfo');
	error.message = `getaddrinfo ENOTFOUND ${name}`;
	throw Object.assign(error, { errno: -3008, hostname: name });
}
