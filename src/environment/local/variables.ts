import { isShellHook } from '../shell-start.ts';

/** Selects the variables of this process that a command inherits. */
export interface VariablePolicy {
	/** `core`: the list {@link CORE_VARIABLES}. Default `core`. */
	inherit?: 'all' | 'core' | 'none';
	/** Names that commands inherit in addition, even if they look like secrets. */
	include?: readonly string[];
	/**
	 * Used with `all`: excludes variables that look like secrets. Default true. Secrets with other names reach
	 * commands.
	 */
	excludeSecrets?: boolean;
	/** Set for every command, last. */
	set?: Record<string, string>;
}

/** Suffixes of names that hold secrets, case-insensitive (000 §4.2). */
const SECRET = /(_API_KEY|_SECRET|_TOKEN|_PASSWORD|_CREDENTIAL|_CREDENTIALS)$/i;

/** Always inherited, except with `none` (000 §4.2); by default the only ones. None of them contains a secret. */
export const CORE_VARIABLES: readonly string[] = [
	'PATH',
	'HOME',
	'USER',
	'LOGNAME',
	'SHELL',
	'LANG',
	'LC_ALL',
	'LC_CTYPE',
	'LC_MESSAGES',
	'LC_COLLATE',
	'LC_NUMERIC',
	'LC_TIME',
	'LANGUAGE',
	'TERM',
	'COLORTERM',
	'NO_COLOR',
	'FORCE_COLOR',
	'CI',
	'XDG_CACHE_HOME',
	'XDG_CONFIG_HOME',
	'XDG_DATA_HOME',
	'XDG_STATE_HOME',
	'SSL_CERT_FILE',
	'SSL_CERT_DIR',
	'NODE_EXTRA_CA_CERTS',
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
	'PNPM_HOME',
	// Programs on Windows do not start without these.
	'SystemRoot',
	'ComSpec',
	'PATHEXT',
	'USERPROFILE',
	'APPDATA',
	'LOCALAPPDATA',
	'ProgramFiles',
	'TEMP',
	'TMP'
];

/**
 * Variables of a command: those of `source` that the policy allows, then the policy's own. Variables that make a shell
 * run or redefine something are never inherited, only set.
 */
export function commandVariables(
	source: Record<string, string | undefined>,
	policy: VariablePolicy = {}
): Record<string, string> {
	const { inherit = 'core', include = [], excludeSecrets = true, set = {} } = policy;
	const named = new Set([...(inherit === 'none' ? [] : CORE_VARIABLES), ...include]);
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(source)) {
		if (value === undefined || isShellHook(name)) continue;
		if (named.has(name) || (inherit === 'all' && !(excludeSecrets && SECRET.test(name)))) kept[name] = value;
	}
	return { ...kept, ...set };
}
