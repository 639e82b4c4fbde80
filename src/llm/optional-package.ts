/**
 * Loads a package that the library does not install by itself: a program adds those that it uses.
 * @param name of the package
 * @param refuse creates the error from a sentence that names the command to install it
 */
export async function loadOptionalPackage<Module>(
	name: string,
	load: () => Promise<Module>,
	refuse: (message: string, cause: unknown) => Error
): Promise<Module> {
	try {
		return await load();
	} catch (cause) {
		if (!isMissing(cause, name)) throw cause;
		throw refuse(`The package ${name} is not installed. Install it to use this: npm install ${name}`, cause);
	}
}

/** Node's error names the package; another one's may be missing too. */
function isMissing(error: unknown, name: string): boolean {
	return (
		error instanceof Error &&
		'code' in error &&
		error.code === 'ERR_MODULE_NOT_FOUND' &&
		error.message.includes(`'${name}'`)
	);
}
