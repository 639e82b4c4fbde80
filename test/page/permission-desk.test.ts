import { expect, it, vi } from 'vitest';
import type { PermissionRequest } from '#agent/guards/permission-types.ts';
import { PermissionDesk } from '#page/permission-desk.ts';

const request: PermissionRequest = {
	requestId: 'p1',
	callId: 'c1',
	agentId: 'main',
	toolName: 'Bash',
	action: 'execute',
	command: 'ls',
	description: 'Run ls',
	reason: 'Mode ask',
	rules: []
};

it('waits until the user decides', async () => {
	const onChange = vi.fn();
	const desk = new PermissionDesk(onChange);
	const decision = desk.ask(request, new AbortController().signal);
	expect([...desk.open]).toEqual(['p1']);
	desk.decide('another', { kind: 'deny' });
	expect([...desk.open]).toEqual(['p1']);
	desk.decide('p1', { kind: 'allow_once' });
	expect(await decision).toEqual({ kind: 'allow_once' });
	expect(desk.open.size).toBe(0);
	expect(onChange).toHaveBeenCalledTimes(2);
});

it('lets go of a question when the run is stopped', async () => {
	const desk = new PermissionDesk(() => {});
	const stop = new AbortController();
	const decision = desk.ask(request, stop.signal);
	stop.abort(new Error('stopped'));
	await expect(decision).rejects.toThrow('stopped');
	expect(desk.open.size).toBe(0);
	await expect(desk.ask(request, stop.signal)).rejects.toThrow('stopped');
});
