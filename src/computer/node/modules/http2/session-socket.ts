import type streams from '../stream.ts';
import { http2Error } from './errors.ts';

export type Duplex = InstanceType<typeof streams.Duplex>;

/** Session, as far as its socket needs it. */
interface SocketOwner {
	readonly _socket: Duplex | undefined;
}

const OF_SESSION = new Set<string | symbol>(['setTimeout', 'ref', 'unref']);
const FORBIDDEN = new Set<string | symbol>(
	'destroy emit end pause read resume write setEncoding setKeepAlive setNoDelay'.split(' ')
);

const bound = (value: unknown, owner: object): unknown =>
	typeof value === 'function' ? (value.bind(owner) as unknown) : value;

function socketOf({ _socket: socket }: SocketOwner): Duplex {
	if (!socket) throw http2Error('SOCKET_UNBOUND');
	return socket;
}

/** `session.socket`: the connection, except for what would disturb the frames on it. */
export function sessionSocket<Owner extends SocketOwner & object>(session: Owner): Owner {
	return new Proxy(session, {
		get(owner, name) {
			if (OF_SESSION.has(name)) return bound(Reflect.get(owner, name), owner);
			if (FORBIDDEN.has(name)) throw http2Error('NO_SOCKET_MANIPULATION');
			const socket = socketOf(owner);
			return bound(Reflect.get(socket, name), socket);
		},
		getPrototypeOf: (owner) => Reflect.getPrototypeOf(socketOf(owner)),
		set(owner, name, value) {
			if (FORBIDDEN.has(name)) throw http2Error('NO_SOCKET_MANIPULATION');
			return Reflect.set(OF_SESSION.has(name) ? owner : socketOf(owner), name, value);
		}
	});
}
