package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/connection"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/slot"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/worker"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"
)

// workerFlags say what a worker is like.
type workerFlags struct {
	server connection.Options
	name   string
	slots  int
	hosts  bool
	memory size
	time   time.Duration
}

func (s streams) workerCommand() *cobra.Command {
	flags := workerFlags{memory: 2 << 30}
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Do units of work that others hand out",
		Long: `worker takes units of work from a server and does them, as many at a time as this machine has cores, until Ctrl-C: then
it gives back what it has. Interruptions of the connection, and of the server, do not matter: it goes on, and comes back.

Each unit is done by a process of ldfi of its own, in a directory of its own, within limits of memory and time. It starts nothing else,
unless --allow-hosts says so: then it starts the programs that come with units, as this user, for whoever can connect to the server. So
--allow-hosts is refused where the server asks for neither a key, credentials nor a certificate, and where others know the key.

It does units of its own version of ldfi only. That is the ldfi that starts it, or the one beside it, or in PATH.

Exit codes: 0 ended by Ctrl-C, 2 wrong usage, or it cannot start.`,
		Example: `  ldfi worker --nats nats://127.0.0.1:4222
  ldfi worker --nats nats://build1:4222 --nkey ldfi.key --slots 4
  ldfi worker --nats tls://build1:4222 --nkey ldfi.key --tls-ca ca.crt --allow-hosts --memory 4GiB`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.work(cmd.Context(), flags) },
	}
	connectionFlags(cmd, &flags.server)
	f := cmd.Flags()
	f.StringVar(&flags.name, "name", "", "the `name` by which others know this worker; without it that of the machine, and a number")
	f.IntVar(&flags.slots, "slots", runtime.NumCPU(), "the `number` of units that are done at a time")
	f.BoolVar(&flags.hosts, "allow-hosts", false, "start programs that come with units, which test systems written in Go")
	f.Var(&flags.memory, "memory", "how much memory a unit may take")
	f.DurationVar(&flags.time, "time", time.Hour, "the `time` that a unit may take")
	return cmd
}

// work does units until the context ends.
func (s streams) work(ctx context.Context, flags workerFlags) error {
	if flags.slots < 1 || flags.time <= 0 {
		return errors.New("--slots and --time have to be above 0\nsee ldfi-cluster worker --help")
	}
	if flags.name == "" {
		flags.name = defaultName()
	}
	program, err := findLdfi(ctx)
	if err != nil {
		return err
	}
	flags.server.FromEnvironment()
	flags.server.Proof = flags.hosts
	s.warn(flags.server.Nkey)
	nc, err := connection.Open(flags.name, flags.server,
		nats.DisconnectErrHandler(func(*nats.Conn, error) {
			if ctx.Err() == nil {
				s.note("the connection is lost: trying to get it back")
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { s.note("connected again") }))
	if err != nil {
		return err
	}
	defer nc.Close()
	kept, err := store.Open(ctx, nc)
	if err != nil {
		return err
	}
	slots, err := flags.makeSlots(program)
	if err != nil {
		return err
	}
	s.note("%s does units of ldfi %s, %d at a time", flags.name, program.Version, flags.slots)
	err = worker.Run(ctx, nc, kept, worker.Options{
		Name: flags.name, Build: program.Build, Version: program.Version, Platform: runtime.GOOS + "/" + runtime.GOARCH, Hosts: flags.hosts,
		Slots: slots, Note: s.note,
	})
	if ctx.Err() != nil {
		err = nil // it was told to end, perhaps before it had begun
	}
	return errors.Join(err, closeSlots(slots))
}

// note says something to whoever looks at the worker.
func (s streams) note(format string, args ...any) {
	fmt.Fprintf(s.err, "ldfi-cluster: %s\n", text.Safe(fmt.Sprintf(format, args...)))
}

// defaultName is the name of this machine, and the number of this process.
func defaultName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "worker"
	}
	return fmt.Sprintf("%s-%d", host, os.Getpid())
}

// makeSlots makes the slots of a worker, which share the cores of the machine. They are to
// be closed.
func (f *workerFlags) makeSlots(program ldfi) (all []worker.Slot, err error) {
	for range f.slots {
		one, err := slot.New(slot.Options{
			Ldfi: program.Path, Build: program.Build, Hosts: f.hosts,
			Memory: uint64(f.memory), Time: f.time, Cores: max(1, runtime.NumCPU()/f.slots),
		})
		if err != nil {
			return nil, errors.Join(err, closeSlots(all))
		}
		all = append(all, one)
	}
	return all, nil
}

// closeSlots ends what slots do, and removes their directories.
func closeSlots(all []worker.Slot) (err error) {
	for _, one := range all {
		err = errors.Join(err, one.Close())
	}
	return err
}
