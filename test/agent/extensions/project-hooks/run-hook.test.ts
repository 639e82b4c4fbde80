import { describe, expect, it } from 'vitest';
import { runHook } from '#agent/extensions/project-hooks/run-hook.ts';
import { GuardRefusal, PermissionDenied } from '#agent/guards/refusals.ts';
import type { ToolContext } from '#agent/tool.ts';
import type { ExecOptions, ExecResult, ExecutionEnvironment } from '#environment/contract.ts';

const hook = { event: 'end' as const, command: 'check', timeout_seconds: 3 };

/** Runs a hook whose command prints and exits as given, or fails. */
async function run(
	ends: Partial<ExecResult> | Error,
	more: { prints?: string; propose?: () => Promise<void>; signal?: AbortSignal } = {}
) {
	const started: [string, ExecOptions][] = [];
	const shown: string[] = [];
	const proposed: unknown[] = [];
	const environment = {
		workingDirectory: () => '/work',
		exec: (command: string, options: ExecOptions) => {
			started.push([command, options]);
			options.onOutput?.({ stream: 'stdout', data: more.prints ?? '' });
			if (ends instanceof Error) return Promise.reject(ends);
			return Promise.resolve({ stdout: '', stderr: '', exitCode: 0, timedOut: false, durationMs: 1, ...ends });
		}
	} as unknown as ExecutionEnvironment;
	const context = {
		environment,
		signal: more.signal ?? new AbortController().signal,
		propose: (change: unknown) => (proposed.push(change), more.propose?.() ?? Promise.resolve()),
		onProgress: (delta: string) => shown.push(delta)
	} as unknown as ToolContext;
	return { outcome: await runHook(context, hook, { event: 'end' }), started, shown, proposed };
}

describe('a hook', () => {
	it('gets its input as JSON, and its output is its own', async () => {
		const { outcome, started, shown, proposed } = await run({ exitCode: 2 }, { prints: '  \u001b[31mNo.\u001b[0m\n' });
		expect(outcome).toEqual({ exitCode: 2, output: 'No.', durationMs: expect.any(Number) });
		expect(started).toEqual([
			['check', expect.objectContaining({ cwd: '/work', stdin: '{"event":"end"}', timeoutMs: 3_000 })]
		]);
		expect(proposed).toMatchObject([{ kind: 'execute', command: 'check', description: 'Run the hook `check`' }]);
		expect(shown.join('')).toBe('');
	});

	it('gives at most 8,000 characters, without secrets', async () => {
		const key = `ghp_${'a1B2'.repeat(9)}`;
		const { outcome } = await run({}, { prints: `${key}\n${'x'.repeat(20_000)}` });
		expect(outcome?.output).not.toContain(key);
		expect(outcome?.output.length).toBeLessThan(8_300);
	});

	it.each<[string, Parameters<typeof run>[0], (() => Promise<void>) | undefined, string]>([
		['its time is over', { timedOut: true, exitCode: 124 }, undefined, 'It was ended after its limit of 3 s.'],
		['it cannot start', new Error('no shell'), undefined, 'It could not run: no shell'],
		['the user denies it', {}, () => Promise.reject(new PermissionDenied('Denied.')), 'Denied.'],
		['a guard refuses it', {}, () => Promise.reject(new GuardRefusal('permission', 'Plan mode.')), 'Plan mode.']
	])('has no exit code where %s, and says so behind its output', async (_, ends, propose, reason) => {
		const { outcome } = await run(ends, { ...(propose ? { propose } : { prints: 'half' }) });
		expect(outcome).toMatchObject({ exitCode: null, output: propose ? reason : `half\n${reason}` });
	});

	it('has no outcome where the run was stopped', async () => {
		const controller = new AbortController();
		const stopping = { signal: controller.signal, propose: async () => controller.abort() };
		expect((await run({ exitCode: 0 }, stopping)).outcome).toBeNull();
		expect((await run(new Error('killed'), { signal: AbortSignal.abort() })).outcome).toBeNull();
	});
});
