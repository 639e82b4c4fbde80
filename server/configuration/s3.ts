import type { S3Bucket } from '../shares/s3-store.ts';

const NEEDED = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

type S3Settings = Readonly<Partial<Record<(typeof NEEDED)[number], string>>> & { readonly S3_REGION: string };

/**
 * Bucket that the `S3_*` settings describe together, if any.
 * @param problems receives a message if only some of them are set
 */
export function readS3(settings: S3Settings, problems: string[]): S3Bucket | undefined {
	const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION } = settings;
	if (S3_ENDPOINT && S3_BUCKET && S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY)
		return {
			endpoint: S3_ENDPOINT,
			bucket: S3_BUCKET,
			accessKeyId: S3_ACCESS_KEY_ID,
			secretAccessKey: S3_SECRET_ACCESS_KEY,
			region: S3_REGION
		};
	const set = NEEDED.filter((name) => settings[name] !== undefined);
	const missing = NEEDED.filter((name) => settings[name] === undefined);
	if (set.length > 0)
		problems.push(`${set.join(', ')} set without ${missing.join(', ')}: shares on S3 need all of them.`);
	return undefined;
}
