import { createServer, type AddressInfo } from 'node:net';
import { describeRights } from '../../contract/environment/rights.ts';
import { createTemporary, removeTemporary } from './temporary.ts';

describeRights('LocalExecutionEnvironment', {
	create: () => createTemporary(),
	dispose: removeTemporary,
	openOutside: async () => {
		let hits = 0;
		const server = createServer((socket) => {
			hits++;
			socket.end('hello\n');
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		return {
			command: `node -e "require('net').connect(${port}, '127.0.0.1').resume().on('error', () => process.exit(1))"`,
			host: `127.0.0.1:${port}`,
			hits: () => hits,
			close: () => new Promise((resolve) => server.close(() => resolve()))
		};
	},
	lacks: {
		'named hosts': 'a network namespace refuses without a word',
		'named signals': 'processes outside cannot be seen'
	}
});
