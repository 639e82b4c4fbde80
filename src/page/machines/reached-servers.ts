import type {
	LocalRequest,
	LocalResponse,
	LocalServers,
	LocalWebSocket,
	WebSocketRequest
} from '#environment/contract.ts';
import type { MachineServers } from '#environment/remote/servers.ts';
import { fetchFrom, webSocketTo } from '#computer/http/server-calls.ts';

/** Gives the page access to a machine's servers, as for those in the tab. */
export class ReachedServers implements LocalServers {
	constructor(private readonly servers: MachineServers) {}

	get ports(): LocalServers['ports'] {
		return this.servers.ports;
	}

	onPorts(listener: () => void): () => void {
		return this.servers.onPorts(listener);
	}

	fetch(port: number, request: LocalRequest): Promise<LocalResponse> {
		return fetchFrom((at) => this.servers.connect(at), port, request);
	}

	webSocket(port: number, request: WebSocketRequest): Promise<LocalWebSocket> {
		return webSocketTo((at) => this.servers.connect(at), port, request);
	}
}
