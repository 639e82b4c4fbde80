import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';

const booted = vi.fn();
vi.mock('#environment/webcontainer/environment.ts', () => ({
	WebContainerExecutionEnvironment: class {
		initialize = booted;
		cleanup = async (): Promise<void> => {};
	}
}));

/** Environment chosen by a page, given the server's answer and the user's setting. */
async function open(webcontainer: boolean, chosen: string | null): Promise<{ isWasm: boolean; notices: string[] }> {
	vi.resetModules();
	const config = { providers: [], npmRegistry: 'https://registry.example', allowHosts: [], webcontainer };
	vi.stubGlobal('fetch', async () => Response.json(config));
	vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'sandglass:environment' ? chosen : null) });
	const { openPageEnvironment } = await import('#page/page-environment.ts');
	const wasm = { initialize: vi.fn(async () => {}) } as Partial<ExecutionEnvironment> as ExecutionEnvironment;
	const notices: string[] = [];
	const environment = await openPageEnvironment(
		() => wasm,
		(notice) => notices.push(notice)
	);
	const isWasm = environment === wasm;
	expect(vi.mocked(wasm.initialize).mock.calls).toHaveLength(isWasm ? 1 : 0);
	return { isWasm, notices };
}

describe('the computer of a project', () => {
	beforeEach(() => void booted.mockReset().mockResolvedValue(undefined));

	it('is the built-in one unless the operator allows and the user chooses another', async () => {
		expect(await open(false, 'webcontainer')).toEqual({ isWasm: true, notices: [] });
		expect(await open(true, null)).toEqual({ isWasm: true, notices: [] });
		expect(await open(true, 'else')).toEqual({ isWasm: true, notices: [] });
		expect(booted).not.toHaveBeenCalled();
	});

	it('is WebContainer when both want it, and the user is notified what that means', async () => {
		const { isWasm, notices } = await open(true, 'webcontainer');
		expect(isWasm).toBe(false);
		expect(notices).toEqual([expect.stringMatching(/^This project runs on WebContainer\..*aren’t listed/)]);
	});

	it('is the built-in one with a plain message when WebContainer does not start', async () => {
		booted.mockRejectedValue(new Error('WebContainer did not start within 10 s.'));
		const { isWasm, notices } = await open(true, 'webcontainer');
		expect(isWasm).toBe(true);
		expect(notices).toEqual(['This project runs on the built-in computer. WebContainer did not start within 10 s.']);
	});
});
