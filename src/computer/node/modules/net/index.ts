import type { Runtime } from '../../runtime/runtime.ts';
import { boolean, integer } from '../../runtime/validate.ts';
import { callable } from '../callable.ts';
import { isIP } from './address.ts';
import { connectArguments } from './arguments.ts';
import { BlockList } from './block-list.ts';
import { Server } from './server.ts';
import { SocketAddress } from './socket-address.ts';
import { Socket } from './socket.ts';

/** `node:net`, over the sandbox's own loopback. Other hosts are refused with `ENETUNREACH`. */
export function createNet(runtime: Runtime): Record<string, unknown> {
	Socket.runtime = Server.runtime = runtime;
	const CallableSocket = callable(Socket);
	const connect = (...args: unknown[]) =>
		new Socket(typeof args[0] === 'object' ? (args[0] ?? {}) : {}).connect(...args);
	return {
		Socket: CallableSocket,
		Stream: CallableSocket,
		Server: callable(Server),
		connect,
		createConnection: connect,
		createServer: (...args: ConstructorParameters<typeof Server>) => new Server(...args),
		BlockList,
		SocketAddress,
		isIP,
		isIPv4: (text: unknown) => isIP(text) === 4,
		isIPv6: (text: unknown) => isIP(text) === 6,
		_normalizeArgs: (args: unknown[]) => {
			const { options, listener } = connectArguments(args);
			return [options, listener ?? null];
		},
		_setSimultaneousAccepts: warnOnce(runtime),
		...familySettings()
	};
}

/** A setting of Windows, which only warns. */
function warnOnce({ process }: Runtime): () => void {
	let hasWarned = false;
	return () => {
		if (hasWarned) return;
		hasWarned = true;
		const words = 'net._setSimultaneousAccepts() is deprecated and will be removed.';
		process.emitWarning(words, 'DeprecationWarning', 'DEP0121');
	};
}

/** Settings for hosts with several addresses: only stored, since the loopback has one. */
function familySettings(): Record<string, unknown> {
	let selects = true;
	let attemptMs = 250;
	return {
		getDefaultAutoSelectFamily: () => selects,
		setDefaultAutoSelectFamily: (value: boolean) => {
			boolean(value, 'value');
			selects = value;
		},
		getDefaultAutoSelectFamilyAttemptTimeout: () => attemptMs,
		setDefaultAutoSelectFamilyAttemptTimeout: (value: number) => {
			integer(1, 2 ** 31 - 1)(value, 'value');
			attemptMs = Math.max(10, value);
		}
	};
}
