import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ExecutionEnvironment, Terminal } from '#environment/contract.ts';
import { FirstShell } from '#page/workbench/terminal/first-shell.ts';

/** Only the part needed to open a shell. */
const computer = (openTerminal: () => Promise<Terminal>) =>
	({ openTerminal }) satisfies Partial<ExecutionEnvironment> as unknown as ExecutionEnvironment;
const page = (isNarrow: boolean) => vi.stubGlobal('matchMedia', () => ({ matches: isNarrow }));

describe('the shell a project is shown with', () => {
	afterEach(() => vi.unstubAllGlobals());

	it('is opened once, before anybody asks, and given once', async () => {
		page(false);
		const terminal = {} as Terminal;
		const open = vi.fn(() => Promise.resolve(terminal));
		const first = new FirstShell();
		first.begin(computer(open));
		expect(open).toHaveBeenCalledOnce();
		expect(await first.take()).toBe(terminal);
		expect(first.take()).toBeNull();
		expect(open).toHaveBeenCalledOnce();
	});

	it('is not opened where no terminal is shown at first', () => {
		page(true);
		const open = vi.fn(() => Promise.resolve({} as Terminal));
		const first = new FirstShell();
		first.begin(computer(open));
		expect(open).not.toHaveBeenCalled();
		expect(first.take()).toBeNull();
	});

	it('reports to its taker that it could not be opened', async () => {
		page(false);
		const first = new FirstShell();
		first.begin(computer(() => Promise.reject(new Error('no room'))));
		await expect(first.take()).rejects.toThrow('no room');
	});
});
