/** Environment of a command that runs natively: not what this run of vitest has set, for a project's own tests look at it. */
export function nativeEnvironment(path = process.env['PATH'] ?? ''): NodeJS.ProcessEnv {
	const { HOME, NODE_EXTRA_CA_CERTS } = process.env;
	const certificates = NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS };
	return { PATH: path, HOME, LANG: 'C.UTF-8', ...certificates };
}
