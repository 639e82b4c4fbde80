/** A public repository whose own tests are run at one commit. */
export interface Project {
	/** `owner/name`. */
	repository: string;
	commit: string;
	/** Other commands whose exit codes must be the same as natively. */
	steps: { name: 'build' | 'lint' | 'types'; command: string }[];
	/** Flags that npm needs to install it natively. */
	installFlags?: string;
	/** Command that installs it, if not npm. */
	install?: string;
	/** Folder of its packages, if not `node_modules`. */
	packages?: string;
	/** Packages that pip installs for a Python project, instead of npm's packages. */
	python?: PythonPackages;
	/** Prints TAP, or the output of `jest --json`, uvu or `pytest -rA`. */
	tests: string;
	/** Known reasons why verdicts differ. */
	differences?: string;
}

export interface PythonPackages {
	/** Requirements in pip's format. All of them have wheels. */
	requirements: readonly string[];
	/** Set to also install the project itself: `pip install -e .`. */
	editable?: boolean;
}
