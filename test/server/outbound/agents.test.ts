import type { LookupFunction } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createAgents } from '#server/outbound/agents.ts';

/** What an agent's resolver says about a name that the system resolves to these addresses. */
function resolve(trust: 'filtered' | 'allowed', ...addresses: string[]): Promise<string> {
	const system: LookupFunction = (_name, _options, answer) =>
		answer(
			null,
			addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
		);
	const agents = createAgents(system);
	onTestFinished(() => agents.close());
	// Node's types leave out that an agent keeps the options of its connections.
	const { options } = agents.pick(new URL('http://name.example'), trust) as unknown as {
		options: { lookup: LookupFunction };
	};
	return new Promise((answer) =>
		options.lookup('name.example', { all: true }, (error) => answer(error ? error.message : 'resolved'))
	);
}

it('connects to names with public addresses of either family', async () => {
	expect(await resolve('filtered', '8.8.8.8', '140.82.112.3')).toBe('resolved');
	expect(await resolve('filtered', '2606:4700::1')).toBe('resolved');
});

it.each(['168.63.129.16', '::1', '64:ff9b::808:808'])('connects to no name that leads to %s', async (address) => {
	for (const addresses of [[address], ['8.8.8.8', address], [address, '8.8.8.8']])
		expect(await resolve('filtered', ...addresses)).toContain('name.example is not on the public internet');
	expect(await resolve('allowed', address)).toBe('resolved');
});
