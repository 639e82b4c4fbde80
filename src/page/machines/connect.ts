import type { Channel } from '#environment/remote/channel.ts';
import { RefusedError, type ConnectionState } from '#environment/remote/connection.ts';
import { RemoteExecutionEnvironment } from '#environment/remote/environment.ts';
import { webSocketChannel } from '#environment/remote/web-socket-channel.ts';
import type { EgressLedger } from '../egress/ledger.ts';
import { answerThroughLedger } from '../egress/machine-requests.ts';
import { t } from '../strings/index.ts';
import { requestTicket, type Tenant } from './machine-api.ts';
import { MachineError } from './machine-error.ts';

interface ConnectOptions {
	/** Disconnects another session that uses the machine. */
	takeOver?: boolean;
	onState?: (state: ConnectionState, reason: string) => void;
	/** Decides about network requests of the machine's programs. Absent: they get no network. */
	egress?: Pick<EgressLedger, 'request'> | undefined;
}

/** Connects to a machine and waits until it responds. @throws MachineError, EnvironmentError */
export async function connectMachine(
	machine: string,
	tenant: Tenant,
	{ takeOver = false, onState, egress }: ConnectOptions = {}
): Promise<RemoteExecutionEnvironment> {
	let isFirst = true;
	let refusal: MachineError | undefined;
	const environment = new RemoteExecutionEnvironment({
		onState,
		connect: async () => {
			try {
				const ticket = await requestTicket(machine, tenant, takeOver && isFirst);
				isFirst = false;
				return await openSocket(ticket);
			} catch (error) {
				if (!(error instanceof MachineError)) throw error;
				refusal = error;
				throw error.isFinal ? new RefusedError(error.message) : error;
			}
		}
	});
	try {
		await environment.initialize();
		if (egress) await environment.serveEgress(answerThroughLedger(egress));
		return environment;
	} catch (error) {
		await environment.cleanup();
		// The refusal is more specific than the connection's error.
		throw refusal ?? error;
	}
}

function openSocket(ticket: string): Promise<Channel> {
	const address = new URL(`/api/machines/socket?ticket=${ticket}`, location.href);
	address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
	const socket = new WebSocket(address);
	return new Promise((resolve, reject) => {
		socket.addEventListener('open', () => resolve(webSocketChannel(socket)), { once: true });
		const fail = (): void => reject(new MachineError('unreachable', t.machines.unreachable, false));
		socket.addEventListener('error', fail, { once: true });
	});
}
