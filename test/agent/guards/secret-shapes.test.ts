import { describe, expect, it } from 'vitest';
import { redactData, redactSecrets } from '#agent/guards/redaction.ts';
import { SECRET_SHAPES } from '#agent/guards/secret-shapes.ts';

const HEX = '1a9f0b7c';
const UPPER = 'A7QZ0B9';
const LOWER = 'a7qz0b9';
const WORD = 'aZ9Ab0z';
const URL = 'aZ9_b0-z';
const BASE64 = 'aZ9+b0/z';

/** A made-up secret: the characters of the alphabet repeated, with a letter or digit at the end. */
const of = (alphabet: string, length: number): string => {
	const repeated = alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length);
	return `${repeated.slice(0, -1)}${alphabet[0]}`;
};

/** Formats from the services' documentation: prefixes of a key, its characters, its minimum length, and its suffix. */
const KEYS: [kind: string, prefixes: string[], alphabet: string, length: number, suffix?: string][] = [
	['Anthropic key', ['sk-ant-'], URL, 20],
	['OpenRouter key', ['sk-or-v1-'], HEX, 64],
	['OpenAI key', ['sk-'], URL, 32],
	['OpenAI key', ['sk-proj-'], URL, 27],
	['OpenAI key', ['sk-svcacct-'], URL, 24],
	['Google key', ['AIza'], URL, 35],
	['Google OAuth secret', ['GOCSPX-'], URL, 28],
	['Google OAuth token', ['ya29.'], URL, 40],
	['xAI key', ['xai-'], WORD, 40],
	['Groq key', ['gsk_'], WORD, 40],
	['Perplexity key', ['pplx-'], WORD, 40],
	['Replicate token', ['r8_'], WORD, 37],
	['Hugging Face token', ['hf_'], WORD, 34],
	['Databricks token', ['dapi'], HEX, 32],
	['GitHub token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], WORD, 36],
	['GitHub token', ['github_pat_'], 'aZ9_b0z', 22],
	[
		'GitLab token',
		['glpat-', 'glptt-', 'glrt-', 'gldt-', 'glft-', 'glagent-', 'glsoat-', 'glcbt-', 'glimt-', 'gloas-', 'GR1348941'],
		URL,
		20
	],
	['Atlassian token', ['ATATT3', 'ATBB', 'ATCTT3'], 'aZ9_b=0-z', 24],
	['AWS key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], UPPER, 16],
	['Alibaba key', ['LTAI'], WORD, 16],
	['Tencent key', ['AKID'], WORD, 32],
	['DigitalOcean token', ['doo_v1_', 'dop_v1_', 'dor_v1_'], HEX, 64],
	['Heroku key', ['HRKU-'], URL, 36],
	['Fly token', ['fm1_', 'fm2_', 'fm1a_', 'fm1r_', 'fm2a_'], 'aZ9+/=_-b0', 40],
	['Netlify token', ['nfp_'], WORD, 36],
	['Supabase token', ['sbp_'], HEX, 40],
	['Supabase token', ['sb_secret_'], URL, 20],
	['PlanetScale token', ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], 'aZ9._=-b0', 32],
	['Vault token', ['hvs.', 'hvb.', 'hvr.'], URL, 24],
	['Terraform token', [`${of(WORD, 14)}.atlasv1.`], 'aZ9_=-b0', 60],
	['Doppler token', ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'], 'aZ9._-b0', 40],
	['Pulumi token', ['pul-'], HEX, 40],
	['Grafana token', ['glsa_', 'glc_'], 'aZ9_+/=b0', 32],
	['New Relic key', ['NRAK-', 'NRJS-', 'NRAA-', 'NRRA-', 'NRII-', 'NRSP-'], WORD, 19],
	['Sentry token', ['sntrys_', 'sntryu_'], 'aZ9+/=_-b0', 40],
	['Dynatrace token', [`dt0c01.${of(UPPER, 24)}.`, `dt0s16.${of(UPPER, 24)}.`], UPPER, 64],
	['Sonar token', ['sqa_', 'sqp_', 'squ_'], HEX, 40],
	['Artifactory key', ['AKCp'], WORD, 60],
	['npm token', ['npm_'], WORD, 36],
	['PyPI token', ['pypi-AgE'], URL, 50],
	['RubyGems key', ['rubygems_'], HEX, 48],
	['NuGet key', ['oy2'], LOWER, 43],
	['crates token', ['cio'], WORD, 32],
	['Docker token', ['dckr_pat_', 'dckr_oat_'], URL, 20],
	['Slack token', ['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'], 'aZ9-b0', 10],
	['Discord token', ['M', 'N', 'O'].map((first) => `${first}${of(URL, 23)}.${of(URL, 6)}.`), URL, 27],
	['Telegram token', ['12345678:AA', '1234567890:AA'], URL, 33],
	['Twilio key', ['SK'], HEX, 32],
	['SendGrid key', [`SG.${of(URL, 22)}.`], URL, 43],
	['Mailgun key', ['key-'], HEX, 32],
	['Mailchimp key', [''], HEX, 32, '-us7'],
	['Mailchimp key', [''], HEX, 32, '-us21'],
	['Brevo key', [`xkeysib-${of(HEX, 64)}-`], WORD, 16],
	['Stripe key', ['rk_live_', 'rk_test_', 'sk_live_', 'sk_test_', 'whsec_'], WORD, 20],
	['Square token', ['sq0csp-', 'sq0atp-'], URL, 22],
	['Square token', ['EAAA'], URL, 56],
	['Shopify token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], 'aF9A', 32],
	['Plaid token', ['access-sandbox-', 'access-development-', 'access-production-'], '1a9-f0', 36],
	['Notion token', ['ntn_'], WORD, 40],
	['Notion token', ['secret_'], WORD, 43],
	['Linear key', ['lin_api_', 'lin_oauth_'], WORD, 32],
	['Airtable token', [`pat${of(WORD, 14)}.`], HEX, 64],
	['Figma token', ['figd_', 'figo_', 'figu_'], 'AZ90Zb0-', 36],
	['Figma token', ['figo_pat_'], 'AZ90Zb0-', 32],
	['Postman key', [`PMAK-${of(HEX, 24)}-`], HEX, 34],
	['Mapbox token', [`sk.eyJ${of(URL, 20)}.`], URL, 20],
	['Dropbox token', ['sl.'], URL, 100],
	['age key', ['AGE-SECRET-KEY-1'], UPPER, 58],
	['JSON web token', [`eyJ${of(URL, 10)}.eyJ${of(URL, 10)}.`], URL, 10]
];

describe.each(KEYS)('a %s that begins with one of %j', (kind, prefixes, alphabet, length, suffix = '') => {
	it('is left out wherever it stands, and nothing else is', () => {
		for (const prefix of prefixes) {
			const key = `${prefix}${of(alphabet, length)}${suffix}`;
			for (const [before, after] of [
				['', ''],
				['KEY=', '\n'],
				['{"key": "', '"}'],
				['Bearer ', ' end']
			] as const)
				expect(redactSecrets(`${before}${key}${after}`), key).toBe(`${before}[secret left out: ${kind}]${after}`);
		}
	});

	it('is not seen in what is too short to be one', () => {
		for (const prefix of prefixes) {
			const text = `KEY=${prefix}${of(alphabet, length - 1)}${suffix}`;
			expect(redactSecrets(text)).not.toContain(`[secret left out: ${kind}]`);
		}
	});
});

describe('a secret within an address or a connection string', () => {
	it.each([
		['Azure key', 'DefaultEndpointsProtocol=https;AccountKey=', of(BASE64, 86), '==;EndpointSuffix=x'],
		['Azure key', 'SharedAccessKey=', of(BASE64, 40), ''],
		['Azure signature', 'https://a.blob.core.windows.net/c?sv=1&sig=', of('aZ9%b0', 40), '&se=2'],
		['Azure signature', 'https://a.example/?sig=', of(BASE64, 43), ''],
		['webhook address', 'https://hooks.slack.com/services/', of('T0/B0_a-9', 20), ' '],
		['webhook address', 'https://hooks.slack.com/workflows/', of('T0/B0_a-9', 44), ''],
		['webhook address', 'https://discord.com/api/webhooks/', of('12/a_b-9', 68), ''],
		['webhook address', 'https://discordapp.com/api/webhooks/', of('12/a_b-9', 68), '']
	])('is left out and the rest kept: %s after %s', (kind, before, secret, after) => {
		const kept = after.replace(/^==/, '');
		expect(redactSecrets(`${before}${secret}${after}`)).toBe(`${before}[secret left out: ${kind}]${kept}`);
	});
});

it('knows examples of every kind that it names', () => {
	const inAddresses = ['Azure key', 'Azure signature', 'webhook address'];
	expect(new Set(SECRET_SHAPES.map(({ kind }) => kind))).toEqual(
		new Set([...KEYS.map(([kind]) => kind), ...inAddresses])
	);
});

it('leaves alone what only looks like a key', () => {
	for (const text of [
		'sk-learn and sk-ant are words',
		'const key = process.env.OPENAI_API_KEY;',
		'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
		`commit ${of(HEX, 40)}`,
		`task-${of(WORD, 40)}`,
		`xAKIA${of(UPPER, 16)}`,
		`AKIA${of(UPPER, 16)}Z`,
		'123e4567-e89b-12d3-a456-426614174000'
	])
		expect(redactSecrets(text)).toBe(text);
});

it('goes through all texts of plain data', () => {
	const token = `ghp_${of(WORD, 36)}`;
	const marker = '[secret left out: GitHub token]';
	expect(redactData({ diff: `+${token}`, lines: [token, 1, null, { deep: token }], done: true })).toEqual({
		diff: `+${marker}`,
		lines: [marker, 1, null, { deep: marker }],
		done: true
	});
});
