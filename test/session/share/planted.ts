/** Characters that keys consist of. */
const HEX = '0123456789abcdef';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const WORD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz0123456789';

type Some = (alphabet: string, length: number) => string;

/** Keys in their issuers' formats: prefix, length and characters. */
const KEYS: ((some: Some) => string)[] = [
	(some) => `sk-ant-api03-${some(WORD, 93)}AA`,
	(some) => `sk-${some(WORD, 48)}`,
	(some) => `sk-proj-${some(WORD, 74)}T3BlbkFJ${some(WORD, 74)}`,
	(some) => `sk-svcacct-${some(WORD, 60)}`,
	(some) => `sk-or-v1-${some(HEX, 64)}`,
	(some) => `AIza${some(WORD, 35)}`,
	(some) => `GOCSPX-${some(WORD, 28)}`,
	(some) => `ya29.${some(WORD, 120)}`,
	(some) => `xai-${some(WORD, 80)}`,
	(some) => `gsk_${some(WORD, 52)}`,
	(some) => `pplx-${some(WORD, 48)}`,
	(some) => `r8_${some(WORD, 37)}`,
	(some) => `hf_${some(WORD, 34)}`,
	(some) => `dapi${some(HEX, 32)}`,
	(some) => `ghp_${some(WORD, 36)}`,
	(some) => `gho_${some(WORD, 36)}`,
	(some) => `ghs_${some(WORD, 36)}`,
	(some) => `github_pat_${some(WORD, 22)}_${some(WORD, 59)}`,
	(some) => `glpat-${some(WORD, 20)}`,
	(some) => `glrt-${some(WORD, 20)}`,
	(some) => `ATATT3xFfGF0${some(WORD, 170)}=${some(UPPER, 8)}`,
	(some) => `ATBB${some(WORD, 32)}`,
	(some) => `AKIA${some(UPPER, 16)}`,
	(some) => `ASIA${some(UPPER, 16)}`,
	(some) => `DefaultEndpointsProtocol=https;AccountName=one;AccountKey=${some(WORD, 86)}==`,
	(some) => `https://one.blob.core.windows.net/c/b?sp=r&sig=${some(WORD, 43)}%3D`,
	(some) => `LTAI${some(WORD, 20)}`,
	(some) => `AKID${some(WORD, 32)}`,
	(some) => `dop_v1_${some(HEX, 64)}`,
	(some) => `HRKU-${some(WORD, 60)}`,
	(some) => `fm2_${some(WORD, 90)}`,
	(some) => `nfp_${some(WORD, 36)}`,
	(some) => `sbp_${some(HEX, 40)}`,
	(some) => `pscale_tkn_${some(WORD, 43)}`,
	(some) => `hvs.${some(WORD, 90)}`,
	(some) => `${some(WORD, 14)}.atlasv1.${some(WORD, 67)}`,
	(some) => `dp.pt.${some(WORD, 43)}`,
	(some) => `pul-${some(HEX, 40)}`,
	(some) => `glsa_${some(WORD, 32)}_${some(HEX, 8)}`,
	(some) => `NRAK-${some(UPPER, 27)}`,
	(some) => `sntrys_${some(WORD, 100)}`,
	(some) => `dt0c01.${some(UPPER, 24)}.${some(UPPER, 64)}`,
	(some) => `sqp_${some(HEX, 40)}`,
	(some) => `AKCp${some(WORD, 69)}`,
	(some) => `npm_${some(WORD, 36)}`,
	(some) => `pypi-AgEIcHlwaS5vcmc${some(WORD, 60)}`,
	(some) => `rubygems_${some(HEX, 48)}`,
	(some) => `oy2${some(LOWER, 43)}`,
	(some) => `cio${some(WORD, 32)}`,
	(some) => `dckr_pat_${some(WORD, 27)}`,
	(some) => `xoxb-${some('0123456789', 12)}-${some('0123456789', 12)}-${some(WORD, 24)}`,
	(some) => `xapp-1-${some(UPPER, 11)}-${some('0123456789', 13)}-${some(HEX, 64)}`,
	(some) => `https://hooks.slack.com/services/T${some(UPPER, 8)}/B${some(UPPER, 10)}/${some(WORD, 24)}`,
	(some) => `https://discord.com/api/webhooks/${some('0123456789', 18)}/${some(WORD, 68)}`,
	(some) => `M${some(WORD, 23)}.${some(WORD, 6)}.${some(WORD, 38)}`,
	(some) => `1${some('0123456789', 9)}:AA${some(WORD, 33)}`,
	(some) => `SK${some(HEX, 32)}`,
	(some) => `SG.${some(WORD, 22)}.${some(WORD, 43)}`,
	(some) => `key-${some(HEX, 32)}`,
	(some) => `${some(HEX, 32)}-us12`,
	(some) => `xkeysib-${some(HEX, 64)}-${some(WORD, 16)}`,
	(some) => `sk_live_${some(WORD, 24)}`,
	(some) => `rk_test_${some(WORD, 24)}`,
	(some) => `whsec_${some(WORD, 32)}`,
	(some) => `sq0csp-${some(WORD, 43)}`,
	(some) => `shpat_${some(HEX, 32)}`,
	(some) => `access-production-${some(HEX, 8)}-${some(HEX, 4)}-${some(HEX, 4)}-${some(HEX, 4)}-${some(HEX, 12)}`,
	(some) => `ntn_${some(WORD, 46)}`,
	(some) => `secret_${some(WORD, 43)}`,
	(some) => `lin_api_${some(WORD, 40)}`,
	(some) => `pat${some(WORD, 14)}.${some(HEX, 64)}`,
	(some) => `figd_${some(WORD, 40)}`,
	(some) => `PMAK-${some(HEX, 24)}-${some(HEX, 34)}`,
	(some) => `sk.eyJ1${some(WORD, 60)}.${some(WORD, 22)}`,
	(some) => `AGE-SECRET-KEY-1${some(UPPER, 58)}`,
	(some) => `eyJhbGciOiJIUzI1NiJ9.eyJ${some(WORD, 40)}.${some(WORD, 43)}`,
	(some) => `postgres://app:${some(WORD, 12)}@db.internal:5432/app`,
	(some) => `redis://:${some(WORD, 24)}@cache.internal:6379`,
	(some) => `mongodb+srv://admin:${some(WORD, 16)}@cluster0.example.net/x`,
	...['RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ', ''].map(
		(kind) => (some: Some) =>
			`-----BEGIN ${kind}PRIVATE KEY-----\n${some(WORD, 64)}\n${some(WORD, 64)}\n${some(WORD, 20)}==\n-----END ${kind}PRIVATE KEY-----`
	)
];

/** Values recognizable only by the name before them. */
const NAMED: ((value: string) => string)[] = [
	(value) => `AWS_SECRET_ACCESS_KEY=${value}`,
	(value) => `export DB_PASSWORD='${value}'`,
	(value) => `client_secret: ${value}`,
	(value) => `{"apiKey": "${value}"}`,
	(value) => `Authorization: Bearer ${value}`,
	(value) => `-H "authorization: Basic ${value}"`,
	(value) => `//registry.npmjs.org/:_authToken=${value}`,
	(value) => `machine api.example.org login me password ${value}`,
	(value) => `const accessToken = "${value}";`,
	(value) => `spring.datasource.password=${value}`
];

export interface Planted {
	/** The part that must not be visible. */
	secret: string;
	/** Its form in a file or an output. */
	text: string;
}

/** @param random number between 0 and 1. @returns the requested number of secrets, of each kind in turn */
export function plantSecrets(count: number, random: () => number): Planted[] {
	const some: Some = (alphabet, length) =>
		Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
	const places = [
		(text: string) => `KEY=${text}`,
		(text: string) => `  "key": "${text}",`,
		(text: string) => `key: ${text}`,
		(text: string) => `The key is ${text} and it works.`
	];
	return Array.from({ length: count }, (_, index) => {
		const kind = index % (KEYS.length + NAMED.length);
		const named = NAMED[kind - KEYS.length];
		if (named) {
			const secret = `${some(WORD, 14)}7x${some(WORD, 12)}`;
			return { secret, text: named(secret) };
		}
		const key = KEYS[kind]?.(some) ?? '';
		// Only the secret part of a URL must be removed.
		const secret = /:([^:@/]+)@|AccountKey=(.+)|sig=(\w+)|(?:services|webhooks)\/(.+)/
			.exec(key)
			?.slice(1)
			.find(Boolean);
		return { secret: secret ?? key, text: places[index % places.length]?.(key) ?? key };
	});
}
