/** Returns true if the user asked the browser to save data. Not all browsers report it. */
export function savesData(): boolean {
	const connection: unknown = Reflect.get(navigator, 'connection');
	return (
		typeof connection === 'object' && connection !== null && 'saveData' in connection && connection.saveData === true
	);
}
