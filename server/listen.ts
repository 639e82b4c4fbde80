import type { Server } from 'node:http';

/**
 * Starts listening.
 * @returns the port, chosen by the system if `port` is 0
 * @throws Error with a readable message when the port is in use or needs privileges
 */
export function listen(server: Server, port: number, host: string): Promise<number> {
	return new Promise((resolve, reject) => {
		server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(sentence(error, port, host))));
		server.listen(port, host, () => {
			const address = server.address();
			resolve(typeof address === 'object' && address !== null ? address.port : port);
		});
	});
}

function sentence(error: NodeJS.ErrnoException, port: number, host: string): string {
	switch (error.code) {
		case 'EADDRINUSE':
			return `Port ${port} is in use by another program. Stop that one, or choose another: PORT=${port + 1} npm start.`;
		case 'EACCES':
			return `Port ${port} may not be opened by this user. Set PORT to one above 1023.`;
		case 'ENOTFOUND':
		case 'EADDRNOTAVAIL':
			return `HOST=${host} is not an address of this machine. Use localhost, or 0.0.0.0 for all of its addresses.`;
		default:
			return `The server could not listen on ${host}:${port}: ${error.message}.`;
	}
}
