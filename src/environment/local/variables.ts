/** What a command inherits of this process's variables. */
export interface VariablePolicy {
	/** `all`, only the `core` list below, or `none`. Default `all`. */
	inherit?: 'all' | 'core' | 'none';
	/** Leaves out what looks like a secret; the core list stays. Default true. */
	excludeSecrets?: boolean;
	/** Set for every command, last. */
	set?: Record<string, string>;
}

/** Endings of names that hold secrets, in any case (000 §4.2). */
const SECRET = /(_API_KEY|_SECRET|_TOKEN|_PASSWORD|_CREDENTIAL|_CREDENTIALS)$/i;

/** Always handed on, except by `none` (000 §4.2). */
export const CORE_VARIABLES: readonly string[] = [
	'PATH',
	'HOME',
	'USER',
	'LOGNAME',
	'SHELL',
	'LANG',
	'LC_ALL',
	'LC_CTYPE',
	'TERM',
	'TMPDIR',
	'TZ',
	'GOPATH',
	'GOROOT',
	'CARGO_HOME',
	'RUSTUP_HOME',
	'NVM_DIR',
	'NODE_PATH',
	'PYENV_ROOT',
	'VIRTUAL_ENV',
	'JAVA_HOME',
	'GEM_HOME',
	'BUN_INSTALL',
	'DENO_DIR',
	'PNPM_HOME'
];

/** The variables of a command: what the policy lets through of `source`, then its own settings. */
export function commandVariables(
	source: Record<string, string | undefined>,
	policy: VariablePolicy = {}
): Record<string, string> {
	const { inherit = 'all', excludeSecrets = true, set = {} } = policy;
	const core = new Set(CORE_VARIABLES);
	const kept: Record<string, string> = {};
	if (inherit !== 'none')
		for (const [name, value] of Object.entries(source)) {
			if (value === undefined) continue;
			if (core.has(name) || (inherit === 'all' && !(excludeSecrets && SECRET.test(name)))) kept[name] = value;
		}
	return { ...kept, ...set };
}
