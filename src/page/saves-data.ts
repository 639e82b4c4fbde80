/** Whether the person asked the browser to fetch no more than it must. Not all browsers say so. */
export function savesData(): boolean {
	const connection: unknown = Reflect.get(navigator, 'connection');
	return (
		typeof connection === 'object' && connection !== null && 'saveData' in connection && connection.saveData === true
	);
}
