/**
 * Environment of a command that runs natively: without variables of vitest, which a project's own tests
 * may read, and of `npm run`, by which `npx` would take the programs of this project.
 */
export function nativeEnvironment(path = process.env['PATH'] ?? ''): NodeJS.ProcessEnv {
	const { HOME, NODE_EXTRA_CA_CERTS } = process.env;
	const certificates = NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS };
	return { PATH: path, HOME, LANG: 'C.UTF-8', ...certificates };
}
