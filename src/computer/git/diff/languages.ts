/** Pattern for lines that can be the heading of a hunk, or for lines that never are, even if a later rule matches. */
export type HeadingRule = { take: RegExp } | { never: RegExp };

/** Patterns for headings and words of a language; the longest matching word is used. */
export interface Language {
	headings: readonly HeadingRule[];
	words: readonly string[];
}

const take = (regex: RegExp): HeadingRule => ({ take: regex });
const never = (regex: RegExp): HeadingRule => ({ never: regex });

const NAME = '[A-Za-z_]\\w*';
const FLOAT = '[-+0-9.e]+';
const HEX = '0[xXbB]?[0-9A-Fa-f]+';
/** Operators that contain an assignment or a comparison. */
const ASSIGNING = '[-+*/<>%&^|=!]=';
const STEPS = ['--', '\\+\\+'];
const SHIFTS = ['<<=?', '>>=?'];
const LOGIC = ['&&', '\\|\\|'];
const C_LIKE = [NAME, `${FLOAT}[fFlL]?`, `${HEX}[lL]?`, ASSIGNING, ...STEPS, ...SHIFTS, ...LOGIC];

const ada: Language = {
	headings: [
		never(/^(?:.*[ \t])?(?:renames|is[ \t]+(?:new|separate))(?:[ \t]|$)/i),
		never(/^[ \t]*with[ \t]/i),
		take(/^[ \t]*((?:procedure|function|package|protected|task)[ \t].*)$/i)
	],
	words: [
		'[A-Za-z]\\w*',
		'[-+]?[0-9][0-9#_.A-Fa-f]*(?:[eE][-+]?[0-9_]+)?',
		...['=>', '\\.\\.', '\\*\\*', ':=', '/=', '>=', '<=', '<<', '>>', '<>']
	]
};

const bash: Language = {
	headings: [
		take(
			/^[ \t]*((?:[A-Za-z_]\w*[ \t]*\([ \t]*\)|function[ \t]+[A-Za-z_]\w*(?:[ \t]*\([ \t]*\)|[ \t]+))[ \t]*(?:\{|\(\(?|\[\[))/
		)
	],
	words: ['[^ \\t]+']
};

const bibtex: Language = {
	headings: [take(/(@[A-Za-z]+[ \t]*\{?[ \t]*[^ \t"@',#}{~%]*).*$/)],
	words: ['[={}"]', '[^={}" \\t]+']
};

const cpp: Language = {
	// Labels and `public:` also begin at the left margin.
	headings: [never(/^[ \t]*[A-Za-z_]\w*:\s*(?:$|\/[/*])/), take(/^((?:::\s*)?[A-Za-z_].*)$/)],
	words: [
		NAME,
		'[0-9][0-9.]*(?:[Ee][-+]?[0-9]+)?[fFlLuU]*',
		'0[xXbB][0-9a-fA-F]+[lLuU]*',
		'\\.[0-9]+(?:[Ee][-+]?[0-9]+)?[fFlL]?',
		...[ASSIGNING, ...STEPS, ...SHIFTS, ...LOGIC, '::', '->\\*?', '\\.\\*', '<=>']
	]
};

const ACCESS = 'static|public|internal|private|protected|new|unsafe|sealed';
const csharp: Language = {
	headings: [
		never(/^[ \t]*(?:do|while|for|if|else|instanceof|new|return|switch|case|throw|catch|using)/),
		take(
			new RegExp(
				`^[ \\t]*((?:(?:${ACCESS}|virtual|override|async)[ \\t]+)*[\\][<>@.~\\w]+[ \\t]+[<>@.\\w]+[ \\t]*\\(.*\\))[ \\t]*$`
			)
		),
		take(new RegExp(`^[ \\t]*((?:(?:${ACCESS}|virtual|override)[ \\t]+)*[\\][<>@.~\\w]+[ \\t]+[@.\\w]+)[ \\t]*$`)),
		take(
			new RegExp(`^[ \\t]*((?:(?:${ACCESS}|abstract|partial)[ \\t]+)*(?:class|enum|interface|struct|record)[ \\t].*)$`)
		),
		take(/^[ \t]*(namespace[ \t].*)$/)
	],
	words: [...C_LIKE, '::', '->']
};

const css: Language = {
	headings: [never(/[:;]\s*$/), take(/^[:[@.#]?\w.*$/)],
	words: ['-?[_A-Za-z][-\\w]*', '-?[0-9]+', '#[0-9A-Fa-f]+']
};

const dts: Language = {
	headings: [never(/[;=]/), take(/^[ \t]*((?:\/[ \t]*\{|&?[A-Za-z_]).*)/)],
	words: ['[A-Za-z0-9,._+?#-]+', '[-+*/%&^|!~]', '>>', '<<', ...LOGIC]
};

const elixir: Language = {
	headings: [take(/^[ \t]*((?:def(?:macro|module|impl|protocol|p)?|test)[ \t].*)$/)],
	words: [
		'[@:]?[\\w@?!]+',
		'[-+]?0[xob][0-9A-Fa-f]+',
		'[-+]?[0-9][0-9_.]*(?:[eE][-+]?[0-9_]+)?',
		':?(?:\\+\\+|--|\\.\\.|~~~|<>|\\^\\^\\^|<?\\|>|<<<?|>?>>|<<?~|~>?>|<~>|<=|>=|===?|!==?|=~|&&&?|\\|\\|\\|?|=>|<-|\\\\\\\\|->)',
		':?%[\\w.]\\{\\}?'
	]
};

const fortran: Language = {
	headings: [
		never(/^(?:[C*]|[ \t]*!)/i),
		never(/^[ \t]*module[ \t]+procedure[ \t]/i),
		take(
			/^[ \t]*((?:(?:end[ \t]+)?(?:program|module|block[ \t]+data)|(?:[^!'" \t]+[ \t]+)*(?:subroutine|function))[ \t]+[a-z].*)$/i
		)
	],
	words: [
		'[A-Za-z]\\w*',
		'\\.(?:[Ee][Qq]|[Nn][Ee]|[Gg][TtEe]|[Ll][TtEe]|[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Aa][Nn][Dd]|[Oo][Rr]|[Nn]?[Ee][Qq][Vv]|[Nn][Oo][Tt])\\.',
		// Includes formats such as 2E14.4 and 9X.
		'[-+]?[0-9.]+(?:[AIDEFLTXaidefltx][Ss]?[-+]?[0-9.]*)?(?:_[A-Za-z0-9]\\w*)?',
		...['//', '\\*\\*', '::', '[/<>=]=']
	]
};

const fountain: Language = {
	headings: [take(/^((?:\.[^.]|(?:int|ext|est|int\.?\/ext|i\/e)[. ]).*)$/i)],
	words: ['[^ \\t-]+']
};

const golang: Language = {
	headings: [take(/^[ \t]*(func[ \t]*.*)/), take(/^[ \t]*(type[ \t].*(?:struct|interface)[ \t]*(?:\{[ \t]*)?)/)],
	words: [
		NAME,
		...['[-+0-9.eE]+i?', '0[xX]?[0-9A-Fa-f]+i?', '[-+*/<>%&^|=!:]=', ...STEPS, ...SHIFTS],
		...['&\\^=?', ...LOGIC, '<-', '\\.{3}']
	]
};

const html: Language = { headings: [take(/^[ \t]*(<[Hh][1-6](?:[ \t].*)?>.*)$/)], words: ['[^<>= \\t]+'] };

const java: Language = {
	headings: [
		never(/^[ \t]*(?:catch|do|for|if|instanceof|new|return|switch|throw|while)/),
		take(/^[ \t]*((?:[a-z]+[ \t]+)*(?:class|enum|interface)[ \t]+[A-Za-z][\w$]*[ \t]+.*)$/),
		take(/^[ \t]*((?:[A-Za-z_<>&][\][?&<>.,\w]*[ \t]+)+[A-Za-z_]\w*[ \t]*\([^;]*)$/)
	],
	words: [...C_LIKE, '>>>=?']
};

const kotlin: Language = {
	headings: [take(/^[ \t]*((?:[a-z]+[ \t]+)*(?:fun|class|interface)[ \t].*)$/)],
	words: [
		NAME,
		'0[xXbB][0-9A-Fa-f_]+[lLuU]*',
		'[0-9][0-9_]*(?:\\.[0-9_]*)?(?:[Ee][-+]?[0-9]+)?[fFlLuU]*',
		'\\.[0-9][0-9_]*(?:[Ee][-+]?[0-9]+)?[fFlLuU]?',
		...['[-+*/<>%&^|=!]==?', ...STEPS, '<<=', '>>=', ...LOGIC, '->', '\\.\\*', '!!', '[?:.][.:]']
	]
};

const markdown: Language = { headings: [take(/^ {0,3}#{1,6}[ \t].*/)], words: ['[^<>= \\t]+'] };

const matlab: Language = {
	headings: [take(/^[ \t]*((?:classdef|function)[ \t].*)$/), take(/^(?:%%%?|##)[ \t].*$/)],
	words: [NAME, FLOAT, '[=~<>]=', "\\.[*/\\\\^']", ...LOGIC]
};

const objc: Language = {
	headings: [
		never(/^[ \t]*(?:do|for|if|else|return|switch|while)/),
		take(/^[ \t]*([-+][ \t]*\([ \t]*[A-Za-z_][\w* \t]*\)[ \t]*[A-Za-z_].*)$/),
		take(/^[ \t]*((?:[A-Za-z_]\w*[ \t]+)+[A-Za-z_]\w*[ \t]*\([^;]*)$/),
		take(/^(@(?:implementation|interface|protocol)[ \t].*)$/)
	],
	words: [...C_LIKE, '::', '->']
};

const pascal: Language = {
	headings: [
		take(
			/^((?:(?:class[ \t]+)?(?:procedure|function)|constructor|destructor|interface|implementation|initialization|finalization).*)$/
		),
		take(/^(.*=[ \t]*(?:class|record).*)$/)
	],
	words: [NAME, FLOAT, HEX, '<>', '<=', '>=', ':=', '\\.\\.']
};

const perl: Language = {
	headings: [
		take(/^package .*/),
		take(/^sub [\w':]+[ \t]*(?:\([^)]*\)[ \t]*)?(?::[^;#]*)?(?:\{[ \t]*)?(?:#.*)?$/),
		take(/^(?:BEGIN|END|INIT|CHECK|UNITCHECK|AUTOLOAD|DESTROY)[ \t]*(?:\{[ \t]*)?(?:#.*)?$/),
		take(/^=head[0-9] .*/)
	],
	words: [
		"[A-Za-z_'][\\w']*",
		...['0[xb]?[0-9A-Fa-f_]*', '[0-9A-Fa-f_]+(?:\\.[0-9A-Fa-f_]+)?(?:[eE][-+]?[0-9_]+)?'],
		...['=>', '-[rwxoRWXOezsfdlpSugkbctTBMAC>]', '~~', '::', '&&=', '\\|\\|=', '//=', '\\*\\*='],
		...[...LOGIC, '//', ...STEPS, '\\*\\*', '\\.\\.\\.?', '[-+*/%.^&<>=!|]=', '=~', '!~', '<<', '<>', '<=>', '>>']
	]
};

const php: Language = {
	headings: [
		take(/^[ \t]*((?:(?:public|protected|private|static|abstract|final)[ \t]+)*function.*)$/),
		take(/^[ \t]*((?:(?:(?:final|abstract)[ \t]+)?class|enum|interface|trait).*)$/)
	],
	words: [NAME, FLOAT, HEX, '[-+*/<>%&^|=!.]=', ...STEPS, ...SHIFTS, '===', ...LOGIC, '::', '->']
};

const python: Language = {
	headings: [take(/^[ \t]*((?:class|(?:async[ \t]+)?def)[ \t].*)$/)],
	words: [NAME, `${FLOAT}[jJlL]?`, '0[xX]?[0-9A-Fa-f]+[lL]?', ASSIGNING, '//=?', ...SHIFTS, '\\*\\*=?']
};

const ruby: Language = {
	headings: [take(/^[ \t]*((?:class|module|def)[ \t].*)$/)],
	words: [
		`(?:@@?|\\$)?${NAME}`,
		...[FLOAT, HEX, '\\?(?:\\\\C-)?(?:\\\\M-)?.', '//=?', ASSIGNING, ...SHIFTS],
		...['===', '\\.{1,3}', '::', '[!=]~']
	]
};

const rust: Language = {
	headings: [
		take(
			/^[ \t]*((?:pub(?:\([^)]+\))?[ \t]+)?(?:(?:async|const|unsafe|extern[ \t]+"[^"]+")[ \t]+)?(?:struct|enum|union|mod|trait|fn|impl|macro_rules!)[< \t]+[^;]*)$/
		)
	],
	words: [
		NAME,
		'[0-9][0-9_a-fA-Fiosuxz]*(?:\\.(?:[0-9]*[eE][-+]?)?[0-9_fF]*)?',
		...['[-+*/<>%&^|=!:]=', ...SHIFTS, ...LOGIC, '->', '=>', '\\.{2}=', '\\.{3}', '::']
	]
};

const scheme: Language = {
	headings: [
		take(
			/^[ \t]*(\((?:(?:define|def(?:struct|syntax|class|method|rules|record|proto|alias)?)[-*/ \t]|(?:library|module|struct|class)[*+ \t]).*)$/
		)
	],
	// Names between vertical bars may contain spaces.
	words: ['\\|[^\\\\]*\\|', '[^\\][)(}{ \\t]+']
};

const tex: Language = {
	headings: [take(/^(\\(?:(?:sub)*section|chapter|part)\*?\{.*)$/)],
	words: ['\\\\[A-Za-z@]+', '\\\\.', '[A-Za-z0-9\\x80-\\xff]+']
};

/** Languages that the attribute `diff` can name without configuration; patterns match binary text. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
	...{ ada, bash, bibtex, cpp, csharp, css, dts, elixir, fortran, fountain, golang, html, java, kotlin, markdown },
	...{ matlab, objc, pascal, perl, php, python, ruby, rust, scheme, tex }
};
