/*
Ldfi decides which faults, within stated bounds, make a distributed protocol or
system break its promise, and why.

It answers with a smallest set of faults that it has executed and seen fail, with
a certificate that there is none within the bounds, or with "inconclusive".

	ldfi test ./...
	ldfi run protocol.ded
	ldfi check

# Commands

To start:

	init        Write a first protocol, a suite and a workflow
	run         Decide whether faults within the bounds break the promise
	test        Run go test with everything set up
	check       Check a suite of protocols and systems
	vet         Report what looks wrong in a program
	fmt         Write programs in one standard form
	explore     Try faults on a terminal, one key at a time
	lsp         Answer editors, over the Language Server Protocol

To understand:

	why         Explain why a fact holds, or why it does not
	diff        Compare a broken execution with a good one
	inject      Execute one schedule of faults and show what happens
	hypotheses  List the fault sets that break the promise
	whatif      Find what makes a fact appear, or vanish
	waypoints   Propose what to reach on the way to a fact
	weakest     Find the largest bounds within which the promise holds
	learn       Learn what a system does, and write it as a program
	confirm     Execute a schedule on real clocks, sockets and disks

Of versions:

	bisect      Find the versions that break the promise, and what changed

Of recordings:

	import      Make a recording of a trace of a real service
	export      Write reasons or a recording for other tools
	query       Evaluate Mangle rules over recorded executions
	report      Make a page of recordings, or the text of an issue

Of machines, and the rest:

	doctor      Check that goroutines repeat exactly here
	overlay     Make goroutines repeat exactly in go test
	serve       Serve work to workers on other machines
	worker      Work for ldfi on other machines
	workers     List the workers of a server
	mcp         Answer assistants, over the Model Context Protocol
	version     Print the version

"ldfi COMMAND --help" has examples and the flags that matter, --help-all every flag, and
"ldfi help bounds" bounds and faults.

# What it works on

A protocol is one or more files in Dedalus, Datalog in time (docs/language.md).
All its schedules within the bounds are decided at once.

A system is code, in Go or in any language. A program that links it, the host, is
named by --system with the command that starts it; ldfi talks to it over its
standard input and output (docs/wire.md). Its schedules are executed, and searched
by a strategy (docs/guide/strategies.md). In go test there is package
github.com/lineage-driven/ldfi/ldfi/ldfitest for the same.

# Bounds and faults

Bounds say who takes part, for how many rounds, and which faults there may be.
They stand in a comment of a program, as in

	// ldfi: processes=a,b,c eot=6 eff=3 crashes=1

and each has a flag that overrides it. A schedule is the faults of one execution, as
in 'crash a@2; omit a>c@1'. docs/faults.md has all forms.

# Exit codes

	0  holds; nothing to report
	1  violated; something is reported, or differs from what is expected
	2  wrong usage or input
	3  inconclusive: a limit, the time or Ctrl-C ended it before the answer was known

# Output

Results go to standard output, in one piece when they are whole. Warnings, progress
and errors go to standard error. --output json gives results as data
(docs/json.md). Ctrl-C, once, ends a search and says what is known by then.

# Files and environment

	ldfi.yaml              the suite of ldfi check
	testdata/ldfi          schedules that broke something and are executed first
	<user cache>/ldfi      answers that are reused; --cache names another directory
	LDFI_NKEY, LDFI_CREDS  the files with the key, or the credentials, for the server of --workers
	LDFI_TLS_CA, LDFI_TLS_CERT, LDFI_TLS_KEY  those for TLS
	GITHUB_ACTIONS         "true": check prints annotations, and fmt no program with commands to the log in it
	GITHUB_STEP_SUMMARY    check appends a summary to this file

# Limitations

Executions are in lock-step rounds: a message arrives in the round in which it was
sent or, unless its receiver is paused, never. A certificate speaks about the bounds
that its scope line has, and about nothing beyond. One for a system assumes that the
system is deterministic and that its fingerprints tell states apart, which "ldfi vet"
tests.

Hosts, suites and bisect run commands with the rights of the user; see SECURITY.md.
*/
package main
