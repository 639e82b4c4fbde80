import { expect, it } from 'vitest';
import type { LocalServers } from '#environment/contract.ts';
import type { PreviewControl } from '#environment/preview.ts';
import { DelegatingEnvironment } from '#environment/wrappers/delegating.ts';
import { fakeSession, ofType, temporaryEnvironment } from './fake-session.ts';
import { fakeProfile, fakeTool } from './fake-tools.ts';

/** A machine whose servers are these ports. */
class WithServers extends DelegatingEnvironment {
	open: number[] = [];

	override get loopback(): LocalServers {
		return { ports: this.open.map((port) => ({ port, pid: 1, command: 'node' })) } as unknown as LocalServers;
	}

	override get preview(): PreviewControl {
		return {} as PreviewControl;
	}
}

it('tells the model of a server that began to listen, once, and how to see it', async () => {
	const environment = new WithServers(await temporaryEnvironment());
	environment.open = [22];
	const steps = [[22, 5173], [22, 5173], [22], [22, 5173, 8080]];
	const serve = fakeTool('serve', () => {
		environment.open = steps.shift() ?? [];
		return 'done';
	});
	const calls = steps.map(() => ({ calls: [{ name: 'serve' }] }));
	const { session, client, seen } = await fakeSession([...calls, { text: 'ok' }], {
		environment,
		profile: fakeProfile([serve])
	});
	await session.submit('Serve it').result;
	const [first, second, third, fourth] = ofType(seen, 'tool_call_end').map(({ output }) => output);
	const told = '[A server listens on port 5173 now. Open it with preview, action open, to see it.]';
	expect(first).toBe(`done\n\n${told}`);
	expect([second, third]).toEqual(['done', 'done']);
	expect(fourth).toContain('port 5173 and 8080 now.');
	expect(JSON.stringify(client.requests)).toContain('A server listens on port 5173 now.');
});
