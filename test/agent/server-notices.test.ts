import { expect, it } from 'vitest';
import { ServerNotices } from '#agent/server-notices.ts';
import type { ExecutionEnvironment, LocalServers } from '#environment/contract.ts';
import type { PreviewControl } from '#environment/preview.ts';
import { DelegatingEnvironment } from '#environment/wrappers/delegating.ts';
import { fakeSession, ofType, temporaryEnvironment } from './fake-session.ts';
import { fakeProfile, fakeTool } from './fake-tools.ts';

/** A machine that displays the first server offered to it. */
class WithDisplay extends DelegatingEnvironment {
	readonly offered: number[] = [];

	constructor(
		inner: ExecutionEnvironment,
		private readonly displays: boolean
	) {
		super(inner);
	}

	override get loopback(): LocalServers {
		return { ports: this.#ports } as unknown as LocalServers;
	}

	#ports: { port: number; pid: number; command: string }[] = [];

	serve(...ports: number[]): void {
		this.#ports = ports.map((port) => ({ port, pid: 1, command: 'node' }));
	}

	override get preview(): PreviewControl {
		const offer = (port: number): Promise<boolean> => {
			this.offered.push(port);
			return Promise.resolve(this.displays);
		};
		return { offer } as unknown as PreviewControl;
	}
}

/** A machine whose servers listen on these ports. */
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

it.each([
	[true, '[Serves port 5173, shown in Preview. Open it with preview, action open, to see it.]'],
	[false, '[A server listens on port 5173 now. Open it with preview, action open, to see it.]']
])('says whether the page displays the server: %s', async (displays, line) => {
	const environment = new WithDisplay(await temporaryEnvironment(), displays);
	const serve = fakeTool('serve', () => {
		environment.serve(5173);
		return 'done';
	});
	const { session, seen } = await fakeSession([{ calls: [{ name: 'serve' }] }, { text: 'ok' }], {
		environment,
		profile: fakeProfile([serve])
	});
	await session.submit('Serve it').result;
	expect(environment.offered).toEqual([5173]);
	expect(ofType(seen, 'tool_call_end')[0]?.output).toBe(`done\n\n${line}`);
});

it('says which of several servers the page displays, and nothing of how where it has no preview', async () => {
	const environment = new WithDisplay(await temporaryEnvironment(), true);
	const notices = new ServerNotices(environment);
	notices.prepare();
	environment.serve(5173, 8080);
	const result = { content: 'done', isError: false, note: '[A note.]' };
	expect(await notices.append(result, 'shell')).toEqual({
		...result,
		note: '[A note.]\n[Serves port 5173 and 8080, 5173 is shown in Preview. Open it with preview, action open, to see it.]'
	});
	class WithoutPreview extends WithServers {
		override get preview(): never {
			return undefined as never;
		}
	}
	const plain = new WithoutPreview(await temporaryEnvironment());
	const silent = new ServerNotices(plain);
	silent.prepare();
	plain.open = [80];
	expect((await silent.append({ content: '', isError: false }, 'shell')).note).toBe(
		'[A server listens on port 80 now.]'
	);
});

it('says nothing of a server that the preview itself found', async () => {
	const environment = new WithServers(await temporaryEnvironment());
	const notices = new ServerNotices(environment);
	notices.prepare();
	environment.open = [80];
	const result = { content: 'done', isError: false };
	expect(await notices.append(result, 'preview')).toBe(result);
	expect(await notices.append(result, 'shell')).toBe(result);
});
