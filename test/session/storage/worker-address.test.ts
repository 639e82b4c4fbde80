import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => void vi.resetModules());
afterEach(() => void vi.unstubAllGlobals());

it('is an address that a page under Trusted Types takes, by a policy that allows no other', async () => {
	const plain = (await import('#session/storage/worker-address.ts')).storageWorkerAddress;
	expect(plain).toContain('worker');
	const policies: [string, { createScriptURL(address: string): string }][] = [];
	const createPolicy = (name: string, rules: { createScriptURL(address: string): string }) => {
		policies.push([name, rules]);
		return { createScriptURL: (address: string) => `trusted ${rules.createScriptURL(address)}` };
	};
	vi.stubGlobal('trustedTypes', { createPolicy });
	vi.resetModules();
	const { storageWorkerAddress } = await import('#session/storage/worker-address.ts');
	expect(storageWorkerAddress).toBe(`trusted ${plain}`);
	expect(policies.map(([name]) => name)).toEqual(['sandglass-storage']);
	const other = 'https://elsewhere.example/worker.js';
	expect(() => policies[0]?.[1].createScriptURL(other)).toThrow(new TypeError(`${other} is not the storage worker.`));
});
