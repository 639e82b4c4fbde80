import type { Recipe } from './files.ts';
import { addPatternRule, patternTarget } from './pattern-rules.ts';
import type { MakeState } from './state.ts';

const SUFFIXES =
	'.out .a .ln .o .c .cc .C .cpp .p .f .F .m .r .y .l .ym .yl .s .S .mod .sym .def .h .info .dvi .tex .texinfo .texi ' +
	'.txinfo .w .ch .web .sh .elc .el';

/** Variables used by the built-in rules, with their values. */
const VARIABLES: Record<string, string> = {
	...{
		AR: 'ar',
		ARFLAGS: 'rv',
		AS: 'as',
		CC: 'cc',
		CXX: 'g++',
		CO: 'co',
		FC: 'f77',
		F77: '$(FC)',
		LD: 'ld',
		LEX: 'lex'
	},
	...{ LINT: 'lint', M2C: 'm2c', PC: 'pc', YACC: 'yacc', MAKEINFO: 'makeinfo', TEX: 'tex', TEXI2DVI: 'texi2dvi' },
	...{ WEAVE: 'weave', CWEAVE: 'cweave', TANGLE: 'tangle', CTANGLE: 'ctangle', RM: 'rm -f', CPP: '$(CC) -E' },
	...{ OBJC: 'cc', F77FLAGS: '$(FFLAGS)', OUTPUT_OPTION: '-o $@' },
	...{ 'LINK.o': '$(CC) $(LDFLAGS) $(TARGET_ARCH)', 'COMPILE.c': '$(CC) $(CFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c' },
	'LINK.c': '$(CC) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)',
	'COMPILE.m': '$(OBJC) $(OBJCFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c',
	'LINK.m': '$(OBJC) $(OBJCFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)',
	'COMPILE.cc': '$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c',
	...{ 'COMPILE.C': '$(COMPILE.cc)', 'COMPILE.cpp': '$(COMPILE.cc)' },
	'LINK.cc': '$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)',
	...{
		'LINK.C': '$(LINK.cc)',
		'LINK.cpp': '$(LINK.cc)',
		'YACC.y': '$(YACC) $(YFLAGS)',
		'LEX.l': '$(LEX) $(LFLAGS) -t'
	},
	...{ 'YACC.m': '$(YACC) $(YFLAGS)', 'LEX.m': '$(LEX) $(LFLAGS) -t' },
	'COMPILE.f': '$(FC) $(FFLAGS) $(TARGET_ARCH) -c',
	'LINK.f': '$(FC) $(FFLAGS) $(LDFLAGS) $(TARGET_ARCH)',
	'COMPILE.F': '$(FC) $(FFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c',
	'LINK.F': '$(FC) $(FFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)',
	'COMPILE.p': '$(PC) $(PFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c',
	'LINK.p': '$(PC) $(PFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)',
	'COMPILE.s': '$(AS) $(ASFLAGS) $(TARGET_MACH)',
	'LINK.s': '$(CC) $(ASFLAGS) $(LDFLAGS) $(TARGET_MACH)',
	'COMPILE.S': '$(CC) $(ASFLAGS) $(CPPFLAGS) $(TARGET_MACH) -c',
	'LINK.S': '$(CC) $(ASFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_MACH)',
	'PREPROCESS.S': '$(CC) -E $(CPPFLAGS)',
	...{ 'LINT.c': '$(LINT) $(LINTFLAGS) $(CPPFLAGS) $(TARGET_ARCH)', '.LIBPATTERNS': 'lib%.so lib%.a' }
};

/** Languages that are compiled to objects and linked. */
const LINKED = ['s', 'S', 'c', 'cc', 'C', 'cpp', 'm', 'f', 'F', 'p'];

/** Suffix rules: targets, and lines of their recipes. */
const SUFFIX_RULES: Record<string, string[]> = {
	'.o': ['$(LINK.o) $^ $(LOADLIBES) $(LDLIBS) -o $@'],
	...Object.fromEntries(LINKED.map((name) => [`.${name}`, [`$(LINK.${name}) $^ $(LOADLIBES) $(LDLIBS) -o $@`]])),
	'.sh': ['cat $< >$@ ', 'chmod a+x $@'],
	'.s.o': ['$(COMPILE.s) -o $@ $<'],
	...Object.fromEntries(
		LINKED.filter((name) => name !== 's').map((name) => [`.${name}.o`, [`$(COMPILE.${name}) $(OUTPUT_OPTION) $<`]])
	),
	'.c.ln': ['$(LINT.c) -C$* $<'],
	'.y.c': ['$(YACC.y) $< ', ' mv -f y.tab.c $@'],
	'.l.c': ['@$(RM) $@ ', ' $(LEX.l) $< > $@'],
	'.S.s': ['$(PREPROCESS.S) $< > $@'],
	'.texinfo.info': ['$(MAKEINFO) $(MAKEINFO_FLAGS) $< -o $@'],
	'.texi.info': ['$(MAKEINFO) $(MAKEINFO_FLAGS) $< -o $@'],
	'.tex.dvi': ['$(TEX) $<'],
	'.w.c': ['$(CTANGLE) $< - $@'],
	'.web.p': ['$(TANGLE) $<'],
	'.web.tex': ['$(WEAVE) $<'],
	'.w.tex': ['$(CWEAVE) $< - $@']
};

const recipeOf = (lines: string[]): Recipe => ({ lines, place: null, first: 0 });

/** Sets the built-in variables. */
export function setDefaultVariables({ globals, switches }: MakeState): void {
	if (!switches.hasVariables) return;
	for (const [name, value] of Object.entries(VARIABLES)) globals.define(name, value, 'default', true);
}

/** Sets the default list of `.SUFFIXES`, before makefiles are read. */
export function setSuffixes({ files, globals, switches }: MakeState): void {
	const list = files.enter('.SUFFIXES');
	list.isTarget = true;
	if (!switches.hasRules) return void globals.define('SUFFIXES', '', 'default');
	list.prerequisites = SUFFIXES.split(' ').map((name) => ({
		file: files.enter(name),
		isOrderOnly: false,
		changed: false
	}));
	globals.define('SUFFIXES', SUFFIXES, 'default');
}

/** Adds built-in rules for the suffixes still listed, after those of the makefiles. */
export function addDefaultRules(state: MakeState): void {
	if (!state.switches.hasRules) return;
	for (const [name, lines] of Object.entries(SUFFIX_RULES)) {
		const file = state.files.enter(name);
		// A rule of a makefile overrides it.
		if (file.recipe || file.isTarget) continue;
		file.recipe = recipeOf(lines);
	}
	for (const [target, needs] of [
		['%', '%,v'],
		['%', 'RCS/%,v'],
		['%', 'RCS/%'],
		['%', 's.%'],
		['%', 'SCCS/s.%']
	] as const) {
		const isSccs = needs.includes('s.');
		const recipe = recipeOf([isSccs ? '$(GET) $(GFLAGS) $(SCCS_OUTPUT_OPTION) $<' : '$(CHECKOUT,v)']);
		addPatternRule(
			state.rules,
			{
				...{ targets: [patternTarget(target)], prerequisites: [{ name: needs, isOrderOnly: false }], later: null },
				...{ recipe, isTerminal: true, isInUse: false }
			},
			false
		);
	}
	addPatternRule(
		state.rules,
		{
			...{ targets: [patternTarget('%.out')], prerequisites: [{ name: '%', isOrderOnly: false }], later: null },
			...{ recipe: recipeOf(['@rm -f $@ ', ' cp $< $@']), isTerminal: false, isInUse: false }
		},
		false
	);
}
