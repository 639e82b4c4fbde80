import type { AnswerLimits } from '#environment/prefix/collected.ts';
import { PrefixExecutionEnvironment } from '#environment/prefix/environment.ts';
import type { ExecChannel } from '#environment/prefix/exec-channel.ts';

/** Directories of a confined machine that can be written, beside `/tmp`. */
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
		// The library of certificates takes a tenth of a second to load: not at the start of every server.
		createAuthority: async () => (await import('./authority.ts')).createAuthority(),
		limits
	});
	await environment.initialize();
	return environment;
}
