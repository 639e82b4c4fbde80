type Schema = Record<string, unknown>;

/** JSON Schema whose objects allow no further properties, which providers require of a response's schema. */
export function closedSchema(schema: Schema): Schema {
	const { $schema: _dialect, ...content } = schema;
	return closed(content);
}

/** Checks whether all properties of all objects are required: only then does OpenAI enforce a schema. */
export function requiresEverything(schema: unknown): boolean {
	if (Array.isArray(schema)) return schema.every(requiresEverything);
	if (!isSchema(schema)) return true;
	const { required } = schema;
	const names = isObjectSchema(schema) ? Object.keys(schema['properties']) : [];
	const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
	return names.every(isRequired) && Object.values(schema).every(requiresEverything);
}

function closed(schema: Schema): Schema {
	const entries = Object.entries(schema).map(([key, value]) => [key, closedValue(value)]);
	const copy: Schema = Object.fromEntries(entries);
	return isObjectSchema(copy) ? { additionalProperties: false, ...copy } : copy;
}

function closedValue(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(closedValue);
	return isSchema(value) ? closed(value) : value;
}

function isSchema(value: unknown): value is Schema {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isObjectSchema(schema: Schema): schema is Schema & { properties: Schema } {
	return schema['type'] === 'object' && isSchema(schema['properties']);
}
