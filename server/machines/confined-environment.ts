import type { AnswerLimits } from '#environment/prefix/collected.ts';
import { PrefixExecutionEnvironment } from '#environment/prefix/environment.ts';
import type { ExecChannel } from '#environment/prefix/exec-channel.ts';

/** Writable directory of a confined machine, besides those below `/tmp`. */
export const WORKSPACE = '/workspace';
export const HOME = '/tmp/home';

/** Opens the environment of a container or a pod, which has no network of its own. */
export async function openConfinedEnvironment(
	prefix: ExecChannel,
	limits: Partial<AnswerLimits> | undefined
): Promise<PrefixExecutionEnvironment> {
	const environment = new PrefixExecutionEnvironment({
		prefix,
		workingDirectory: WORKSPACE,
		home: HOME,
		roots: [WORKSPACE, HOME, '/tmp'],
		servers: true,
		egress: true,
		// Loaded on demand: the certificate library takes a tenth of a second to load.
		createAuthority: async () => (await import('./authority.ts')).createAuthority(),
		limits
	});
	await environment.initialize();
	return environment;
}
