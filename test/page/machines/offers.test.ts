import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { machineOffers, parseOffers } from '#page/machines/offers.ts';

const HOST = { id: 'host', kind: 'host', name: 'project' };

describe('the machines that a server offers', () => {
	it('are taken from its answer', () => {
		const docker = { id: 'docker', kind: 'docker', name: 'debian:13', cpus: 2, memoryBytes: 4e9, lifetimeS: 7_200 };
		expect(parseOffers({ types: [HOST, docker], more: 1 })).toEqual([HOST, docker]);
	});

	it('are none where the answer is something else', () => {
		for (const answer of [null, '', [], {}, { types: null }, { types: Array.from({ length: 101 }, () => HOST) }])
			expect(parseOffers(answer)).toEqual([]);
	});

	it('stay when the server does not answer, as while it is started again', async () => {
		const config = { providers: [], npmRegistry: '', allowHosts: [], machines: true };
		let isDown = false;
		vi.stubGlobal('fetch', async (address: string) => {
			if (isDown) throw new TypeError('Failed to fetch');
			return Response.json(address === '/api/config' ? config : { types: [HOST] });
		});
		onTestFinished(() => void vi.unstubAllGlobals());
		expect(await machineOffers()).toEqual([HOST]);
		isDown = true;
		expect(await machineOffers()).toEqual([HOST]);
	});

	it('leave out what this page does not know', () => {
		const strange = [{}, { ...HOST, kind: 'mainframe' }, { ...HOST, cpus: -1 }, { ...HOST, name: 'x'.repeat(301) }, 7];
		expect(parseOffers({ types: [...strange, HOST] })).toEqual([HOST]);
	});
});
