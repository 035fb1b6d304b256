package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/lineage-driven/ldfi/internal/coordinator"
	"github.com/lineage-driven/ldfi/internal/hunt"
	"github.com/lineage-driven/ldfi/internal/plural"
	"github.com/lineage-driven/ldfi/internal/printable"
	"github.com/lineage-driven/ldfi/internal/scratch"
	"github.com/spf13/cobra"
)

// huntFlags say what is hunted.
type huntFlags struct {
	server string
	shards int
	q      hunt.Question
}

func (s streams) huntCommand() *cobra.Command {
	var flags huntFlags
	cmd := &cobra.Command{
		Use:   "hunt PACKAGE --run REGEXP --seeds N --nats URL [-- ARGUMENT...]",
		Short: "Divide a long test with random inputs among the workers",
		Long: `hunt builds the tests of a package, and lets the workers run those that --run names: each with some of the seeds. The tests have
two flags for that, -long (how many inputs) and -seed (the seed of the first; the next has one more), as go test PACKAGE -args -long 100 -seed 1
has them. Workers that were started with --allow-hosts, on the same platform, run them, in the directory of the package, with nothing of the
module but its testdata and what --with names. ARGUMENT... are for the tests too.

That the tests passed or failed is the word of the workers. Of seeds that failed, the command is shown that runs the tests with these on this machine.

Exit codes: 0 all passed, 1 some failed, 2 wrong usage, or nothing can be handed out, 3 some seeds nobody has looked at.`,
		Example: `  ldfi-cluster hunt ./provenance --run 'TestAgreement$' --seeds 1000000 --shards 500 --nats nats://10.0.0.1:4222`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if at := cmd.ArgsLenAtDash(); len(args) > 1 && at != 1 {
				return errors.New("there is one package; what is for the tests comes after --\nsee ldfi-cluster hunt --help")
			}
			flags.q.Package, flags.q.Args = args[0], args[1:]
			return s.hunt(cmd.Context(), flags)
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.server, "nats", "", "the `URL` of the server, as ldfi serve prints it; keys and certificates are those of LDFI_NKEY, LDFI_CREDS, LDFI_TLS_CA, LDFI_TLS_CERT and LDFI_TLS_KEY")
	f.StringVar(&flags.q.Run, "run", "", "run the tests whose names this `regexp` matches")
	f.Uint64Var(&flags.q.Seeds.Count, "seeds", 0, "how many `seeds` there are")
	f.Uint64Var(&flags.q.Seeds.First, "first", 1, "the first `seed`")
	f.IntVar(&flags.shards, "shards", 100, "divide the seeds into `n` shards")
	f.StringArrayVar(&flags.q.With, "with", nil, "a `file` or directory of the module that the tests read, beside testdata of the package")
	return cmd
}

func (f huntFlags) check() error {
	switch {
	case f.server == "":
		return errors.New("--nats URL is needed: the server whose workers run the tests")
	case f.q.Run == "":
		return errors.New("--run REGEXP is needed: which tests to run")
	case f.q.Seeds.Count < 1:
		return errors.New("--seeds N is needed: how many random inputs there are, at least 1")
	case f.q.Seeds.First+f.q.Seeds.Count < f.q.Seeds.First:
		return errors.New("--first and --seeds: there are no such large seeds")
	case f.shards < 1:
		return errors.New("--shards has to be at least 1")
	}
	return nil
}

// hunt hands the shards of a test out.
func (s streams) hunt(ctx context.Context, flags huntFlags) (err error) {
	if err := flags.check(); err != nil {
		return fmt.Errorf("%w\nsee ldfi-cluster hunt --help", err)
	}
	ldfi, err := findLdfi(ctx)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := scratch.New("", "ldfi-hunt-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Remove()) }()
	packed, err := flags.q.Pack(ctx, dir.Path())
	if err != nil {
		return err
	}
	hands, err := coordinator.Start(ctx, coordinator.Options{Server: flags.server, Program: self, Build: ldfi.Build, Version: ldfi.Version})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, hands.Close()) }()
	shards, err := packed.Hand(ctx, hands, flags.shards, func(shard hunt.Shard) { s.tell(packed, shard) })
	if err != nil {
		return err
	}
	return s.sum(flags.q.Seeds, shards)
}

// tell says what became of a shard, unless it passed.
func (s streams) tell(p *hunt.Packed, shard hunt.Shard) {
	if shard.Passed {
		return
	}
	fmt.Fprintln(s.out, printable.Line(shard.String()))
	for line := range strings.Lines(shard.Output) {
		fmt.Fprintf(s.out, "  %s\n", printable.Line(strings.TrimRight(line, "\r\n")))
	}
	fmt.Fprintf(s.out, "here: %s\n", p.Command(shard.Seeds))
}

// sum says what became of all shards.
func (s streams) sum(seeds hunt.Seeds, shards []hunt.Shard) error {
	failed, undone := 0, 0
	for _, shard := range shards {
		switch {
		case shard.Undone != "":
			undone++
		case !shard.Passed:
			failed++
		}
	}
	fmt.Fprintf(s.out, "seeds %d to %d, in %s: %d passed, %d failed, %d not looked at\n",
		seeds.First, seeds.Last(), plural.Of(len(shards), "shard"), len(shards)-failed-undone, failed, undone)
	switch {
	case failed > 0:
		return codeError(exitFound)
	case undone > 0:
		return codeError(exitInconclusive)
	}
	return nil
}
