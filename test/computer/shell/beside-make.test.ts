import { testFacts } from './bash-facts.ts';

/** Output of GNU Make 4.3. Recipes that need a shell are tested in the tab. */
testFacts({
	'make: variables': [
		[
			"export LC_ALL=C; mkdir make-1; cd make-1; cat >m <<'END'\na = $(b)\nb := one\nb += two\nc ?= three\nc ?= four\n$(info $(a), $(c), $(flavor a) $(flavor b) $(origin c) $(origin nothing))\nall:\n\t@echo $(a) $c $(HOME_X)\nEND\n{ make -f m; make -f m c=five b=six; } 2>.e; cat .e",
			'one two, three, recursive simple file undefined\none two three\nsix, five, recursive recursive command line undefined\nsix five\n'
		],
		[
			"export LC_ALL=C; mkdir make-2; cd make-2; cat >m <<'END'\ndefine two\n@echo first $(1)\n@echo second $(1)\nendef\nall:\n\t$(call two,line)\nEND\n{ make -f m; make -sf m; } 2>.e; cat .e",
			'first line\nsecond line\nfirst line\nsecond line\n'
		],
		[
			"export LC_ALL=C; mkdir make-3; cd make-3; cat >m <<'END'\nx = a.c b.c dir/c.c\n$(info $(x:.c=.o) | $(x:%.c=%.h) | $(patsubst dir/%,%,$(x)) | $(notdir $(x)) | $(dir $(x)) | $(suffix $(x)) | $(basename $(x)))\n$(info $(word 2,$(x)) $(words $(x)) $(firstword $(x)) $(lastword $(x)) $(wordlist 2,9,$(x)) $(filter %b.c,$(x)) $(filter-out %b.c,$(x)) $(sort b a b) $(join a b,1 2 3))\nall:;\nEND\n{ make -f m; } 2>.e; cat .e",
			"a.o b.o dir/c.o | a.h b.h dir/c.h | a.c b.c c.c | a.c b.c c.c | ./ ./ dir/ | .c .c .c | a b dir/c\nb.c 3 a.c dir/c.c b.c dir/c.c b.c a.c dir/c.c a b a1 b2 3\nmake: 'all' is up to date.\n"
		],
		[
			"export LC_ALL=C; mkdir make-4; cd make-4; cat >m <<'END'\ne = $(if $(filter yes,$(v)),on,off) $(or ,b,c) $(and a,,c) $(foreach i,1 2,<$(i)>) $(call f,x,y)\nf = [$(0) $(1) $(2) $(3)]\n$(info $(e))\nall:;\nEND\n{ make -f m; make -f m v=yes; } 2>.e; cat .e",
			"off b  <1> <2> [f x y ]\nmake: 'all' is up to date.\non b  <1> <2> [f x y ]\nmake: 'all' is up to date.\n"
		],
		[
			"export LC_ALL=C; mkdir make-5; cd make-5; cat >m <<'END'\nr = $(if $(1),$(call r,$(wordlist 2,99,$(1))) $(firstword $(1)))\n$(info $(call r,1 2 3))\nv = $(v)\nall: ; @echo $(v)\nEND\n{ make -f m; } 2>.e; cat .e",
			" 3 2 1\nm:3: *** Recursive variable 'v' references itself (eventually).  Stop.\n"
		],
		[
			"export LC_ALL=C; mkdir make-6; cd make-6; cat >m <<'END'\nundefine b\nexport A = 1\nB = 2\nunexport A\nexport\nall: C = own\nall: D += more\nD = some\nall:\n\t@printenv B C D\nEND\n{ make -f m; } 2>.e; cat .e",
			'2\nown\nsome more\n'
		],
		[
			"export LC_ALL=C; mkdir make-7; cd make-7; cat >m <<'END'\nx := $(shell echo a  b)\ny != echo c\n$(info $(x) $(y) $(.SHELLSTATUS))\nz := $(shell false)\n$(info $(.SHELLSTATUS))\nall:;\nEND\n{ make -f m; } 2>.e; cat .e",
			"a b c 0\n1\nmake: 'all' is up to date.\n"
		]
	],
	'make: rules': [
		[
			"export LC_ALL=C; mkdir make-8; cd make-8; cat >m <<'END'\nall: a.o b.o\n\t@echo $@: $^ then $<, new $?\n%.o: %.c | dir\n\t@echo making $@ from $< in $(@D) stem $* after $|\n\t@touch $@\ndir:\n\tmkdir dir\nEND\n{ touch -d @1000 a.c b.c; make -f m; touch -d @1000 a.o b.o; touch a.c; make -f m; } 2>.e; cat .e",
			'mkdir dir\nmaking a.o from a.c in . stem a after dir\nmaking b.o from b.c in . stem b after dir\nall: a.o b.o then a.o, new a.o b.o\nmaking a.o from a.c in . stem a after dir\nall: a.o b.o then a.o, new a.o b.o\n'
		],
		[
			"export LC_ALL=C; mkdir make-9; cd make-9; cat >m <<'END'\nobjects = x.o y.o\nall: $(objects)\n$(objects): %.o: %.src common\n\t@echo $@ $< $^ $*\n%.src common:\n\t@echo making $@\nEND\n{ make -f m; } 2>.e; cat .e",
			'm:5: *** mixed implicit and normal rules.  Stop.\n'
		],
		[
			"export LC_ALL=C; mkdir make-10; cd make-10; cat >m <<'END'\nall:: one\n\t@echo first\nall:: two\n\t@echo second\none two: ;\nEND\n{ make -f m; } 2>.e; cat .e",
			'first\nsecond\n'
		],
		[
			"export LC_ALL=C; mkdir make-11; cd make-11; cat >m <<'END'\na b &: c\n\t@echo once $@\n\t@touch a b\nc:\n\t@touch c\nall: a b\nEND\n{ make -f m all; make -f m all; } 2>.e; cat .e",
			"once a\nmake: Nothing to be done for 'all'.\n"
		],
		[
			"export LC_ALL=C; mkdir make-12; cd make-12; cat >m <<'END'\nfinal: x.one\n\t@echo $<\n%.one: %.two\n\ttouch $@\n%.two: %.three\n\ttouch $@\nEND\n{ touch x.three; make -f m; ls x.*; } 2>.e; cat .e",
			'touch x.two\ntouch x.one\nx.one\nrm x.two\nx.one\nx.three\n'
		],
		[
			"export LC_ALL=C; mkdir make-13; cd make-13; cat >m <<'END'\n.SECONDEXPANSION:\nx_needs = p q\nall: x\nx: $$($$@_needs)\n\t@echo $@: $^\np q: ;\n\t@echo made $@\nEND\n{ make -f m; } 2>.e; cat .e",
			'made p\nmade q\nx: p q\n'
		],
		[
			"export LC_ALL=C; mkdir make-14; cd make-14; cat >m <<'END'\na: b\nb: a\n\t@echo b\nEND\n{ make -f m; } 2>.e; cat .e",
			'b\nmake: Circular b <- a dependency dropped.\n'
		],
		[
			"export LC_ALL=C; mkdir make-15; cd make-15; cat >m <<'END'\n.PHONY: clean\nclean: ; @echo cleaned\ndefault-less: missing\nEND\n{ touch clean; make -f m; make -f m; make -f m default-less; make -f m nothing; echo $?; } 2>.e; cat .e",
			"cleaned\ncleaned\n2\nmake: *** No rule to make target 'missing', needed by 'default-less'.  Stop.\nmake: *** No rule to make target 'nothing'.  Stop.\n"
		],
		[
			"export LC_ALL=C; mkdir make-16; cd make-16; cat >m <<'END'\n.DEFAULT: ; @echo default for $@\nall: unknown\nEND\n{ make -f m; } 2>.e; cat .e",
			'default for unknown\n'
		],
		[
			"export LC_ALL=C; mkdir make-17; cd make-17; cat >m <<'END'\n.SUFFIXES: .in .out2\n.in.out2:\n\t@echo $< to $@\nall: f.out2\nEND\n{ touch f.in; make -f m; } 2>.e; cat .e",
			'f.in to f.out2\n'
		],
		[
			"export LC_ALL=C; mkdir make-18; cd make-18; cat >m <<'END'\n%.x: a/%.y\n\t@echo $@ $*\nd/%.z: %.w\n\t@echo $@ $* $<\nall: q/r.x d/s.z\nq/a/r.y s.w: ;\nEND\n{ make -f m; } 2>.e; cat .e",
			'q/r.x q/r\nd/s.z s s.w\n'
		],
		[
			"export LC_ALL=C; mkdir make-19; cd make-19; cat >m <<'END'\nvpath %.c src\nVPATH = lib\nall: p.c q.h\n\t@echo $^\nEND\n{ mkdir src lib; touch src/p.c lib/q.h; make -f m; } 2>.e; cat .e",
			'src/p.c lib/q.h\n'
		],
		[
			"export LC_ALL=C; mkdir make-20; cd make-20; cat >m <<'END'\nall: foo\nfoo:\n\techo one\n.RECIPEPREFIX = >\nbar:\n> @echo two\nEND\n{ make -f m; make -f m bar; } 2>.e; cat .e",
			'echo one\none\ntwo\n'
		]
	],
	'make: recipes': [
		[
			"export LC_ALL=C; mkdir make-21; cd make-21; cat >m <<'END'\nall:\n\t@echo quiet\n\t-false\n\tnot-a-program-x\nEND\n{ make -f m; echo $?; } 2>.e; cat .e",
			'quiet\nfalse\nnot-a-program-x\n2\nmake: [m:3: all] Error 1 (ignored)\nmake: not-a-program-x: No such file or directory\nmake: *** [m:4: all] Error 127\n'
		],
		[
			"export LC_ALL=C; mkdir make-22; cd make-22; cat >m <<'END'\nall: a b c\na:\n\t@false\nb:\n\t@echo b\nc: a\n\t@echo c\nEND\n{ make -kf m; echo $?; } 2>.e; cat .e",
			"b\n2\nmake: *** [m:3: a] Error 1\nmake: Target 'all' not remade because of errors.\n"
		],
		[
			"export LC_ALL=C; mkdir make-23; cd make-23; cat >m <<'END'\n.DELETE_ON_ERROR:\nt:\n\t@touch t\n\t@false\nEND\n{ make -f m; ls t; } 2>.e; cat .e",
			"make: *** [m:4: t] Error 1\nmake: *** Deleting file 't'\nls: cannot access 't': No such file or directory\n"
		],
		[
			"export LC_ALL=C; mkdir make-24; cd make-24; cat >m <<'END'\nall: made\n\t@echo all\nmade:\n\t@echo made\n\t@touch $@\nEND\n{ make -n -f m; make -q -f m; echo $?; make -t -f m; make -q -f m made; echo $?; make -f m made; make -Bf m made; make -W made -f m; } 2>.e; cat .e",
			"echo made\ntouch made\necho all\n1\ntouch made\ntouch all\n0\nmake: 'made' is up to date.\nmade\nall\n"
		],
		[
			"export LC_ALL=C; mkdir make-25; cd make-25; cat >m <<'END'\nall:\n\t@echo $(MAKELEVEL) $(MAKEFLAGS)\n\t@$(MAKE) -f m inner X=2\ninner:\n\t@echo $(MAKELEVEL) $(X) $(MAKEOVERRIDES)\nEND\n{ make --no-print-directory -f m; } 2>.e; cat .e",
			'0 --no-print-directory\n1 2 X=2\n'
		]
	],
	'make: reading': [
		[
			"export LC_ALL=C; mkdir make-26; cd make-26; cat >m <<'END'\nifeq ($(a),1)\nx = one\nelse ifdef b\nx = two\nelse\nx = three\nendif\nifneq \"$(x)\" 'one'\ny = not\nendif\n$(info $(x) $(y))\nall:;\nEND\n{ make -f m; make -f m a=1; make -f m b=2; } 2>.e; cat .e",
			"three not\nmake: 'all' is up to date.\none \nmake: 'all' is up to date.\ntwo not\nmake: 'all' is up to date.\n"
		],
		[
			"export LC_ALL=C; mkdir make-27; cd make-27; cat >m <<'END'\ninclude part\n-include nothing\nall: ; @echo $(p) $(MAKEFILE_LIST)\nEND\n{ echo p = q >part; make -f m; rm part; make -f m; echo $?; } 2>.e; cat .e",
			"q m part\n2\nm:1: part: No such file or directory\nmake: *** No rule to make target 'part'.  Stop.\n"
		],
		[
			"export LC_ALL=C; mkdir make-28; cd make-28; cat >m <<'END'\ninclude gen.mk\nall: ; @echo $(g)\ngen.mk: source ; cp $< $@\nEND\n{ echo g = generated >source; make -f m; make -f m; } 2>.e; cat .e",
			'cp source gen.mk\ngenerated\ngenerated\n'
		],
		[
			"export LC_ALL=C; mkdir make-29; cd make-29; cat >m <<'END'\n$(eval t: ; @echo evaluated)\n$(warning look)\nall: t\nEND\n{ make -f m; } 2>.e; cat .e",
			'evaluated\nm:2: look\n'
		],
		[
			"export LC_ALL=C; mkdir make-30; cd make-30; cat >m <<'END'\na = 1 # one\nb = \\# kept\nc = x\\\n   y\n$(info [$(a)] [$(b)] [$(c)])\nall:;\nEND\n{ make -f m; } 2>.e; cat .e",
			"[1 ] [# kept] [x y]\nmake: 'all' is up to date.\n"
		],
		[
			"export LC_ALL=C; mkdir make-31; cd make-31; cat >m <<'END'\nall:\n        echo spaces\nEND\n{ make -f m; echo $?; } 2>.e; cat .e",
			'2\nm:2: *** missing separator (did you mean TAB instead of 8 spaces?).  Stop.\n'
		],
		[
			"export LC_ALL=C; mkdir make-32; cd make-32; cat >m <<'END'\n\techo early\nall:;\nEND\n{ make -f m; } 2>.e; cat .e",
			'm:1: *** recipe commences before first target.  Stop.\n'
		],
		[
			"export LC_ALL=C; mkdir make-33; cd make-33; cat >m <<'END'\nifdef x\nall:;\nEND\n{ make -f m; } 2>.e; cat .e",
			"m:3: *** missing 'endif'.  Stop.\n"
		],
		[
			"export LC_ALL=C; mkdir make-34; cd make-34; cat >m <<'END'\nall: ; @echo $(word x,a)\nEND\n{ make -f m; } 2>.e; cat .e",
			"m:1: *** non-numeric first argument to 'word' function: 'x'.  Stop.\n"
		],
		[
			"export LC_ALL=C; mkdir make-35; cd make-35; cat >m <<'END'\n$(error stop $(1)here)\nEND\n{ make -f m; echo $?; make -C nowhere; make -f nothing; make --nosuch 2>&1 | head -1; } 2>.e; cat .e",
			"2\nmake: unrecognized option '--nosuch'\nm:1: *** stop here.  Stop.\nmake: *** nowhere: No such file or directory.  Stop.\nmake: nothing: No such file or directory\nmake: *** No rule to make target 'nothing'.  Stop.\n"
		],
		[
			"export LC_ALL=C; mkdir make-36; cd make-36; cat >m <<'END'\nall: ; @echo one\nall: ; @echo two\nEND\n{ make -f m; } 2>.e; cat .e",
			"two\nm:2: warning: overriding recipe for target 'all'\nm:1: warning: ignoring old recipe for target 'all'\n"
		],
		[
			"export LC_ALL=C; mkdir make-37; cd make-37; cat >m <<'END'\n$(file >out,a b)$(file >>out,c)\n$(info $(file <out))\nall:;\nEND\n{ make -f m; cat out; } 2>.e; cat .e",
			"a b\nc\nmake: 'all' is up to date.\na b\nc\n"
		]
	]
});
