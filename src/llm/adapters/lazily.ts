/** Makes a thing on first use and keeps it; one that could not be made is tried again by the next. */
export function lazily<T>(make: () => Promise<T>): () => Promise<T> {
	let made: Promise<T> | undefined;
	return () => {
		made ??= make().catch((error: unknown) => {
			made = undefined;
			throw error;
		});
		return made;
	};
}
