import { describe, expect, it } from 'vitest';
import { parseOffers } from '#page/machines/offers.ts';

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

	it('leave out what this page does not know', () => {
		const strange = [{}, { ...HOST, kind: 'mainframe' }, { ...HOST, cpus: -1 }, { ...HOST, name: 'x'.repeat(301) }, 7];
		expect(parseOffers({ types: [...strange, HOST] })).toEqual([HOST]);
	});
});
