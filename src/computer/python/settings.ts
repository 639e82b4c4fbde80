import { PYTHON_VERSION } from '#computer/abi/versions.ts';

/** Options for `loadPyodide`, in the build and in the tab. No packages: `pip` installs them into the volume. */
export const SETTINGS = {
	lockFileContents: JSON.stringify({
		info: { abi_version: '2026_0', arch: 'wasm32', platform: 'emscripten', python: PYTHON_VERSION, version: '314.0.7' },
		packages: {}
	}),
	_sysExecutable: '/usr/bin/python3',
	env: { HOME: '/home/user', PYTHONINSPECT: '' },
	stdout: () => {},
	stderr: () => {}
};

/** Asset with the standard library and our own modules. */
export const LIBRARY = 'python-library.zip';

/** Asset with the memory of an interpreter that was started with that library and has imported what every run needs. */
export const SNAPSHOT = 'python.snapshot.gz';
