package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/internal/work/worker"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// workerFlags has the flags for workers: --workers and --recheck.
type workerFlags struct {
	server  string // the URL of a server with workers; "": all is done in this process
	recheck rate
	hired   *work.Coordinator // nil: no workers
}

// add adds the flags of commands that have no number of cores.
func (c *workerFlags) add(flags *pflag.FlagSet) {
	flags.Var(serverFlag{c}, "workers", "hand the work out to the workers of a server, by its `URL`: nats://HOST:PORT")
	c.addRecheck(flags)
}

func (c *workerFlags) addRecheck(flags *pflag.FlagSet) {
	c.recheck = 0.02
	flags.Var(&c.recheck, "recheck", "ask this `part` of what workers answer again in this process: 2%, 0 or 100%")
}

// fits refuses flags that have no effect without workers elsewhere.
func (c *workerFlags) fits(cmd *cobra.Command) error {
	if c.server != "" {
		return nil
	}
	return refuse(cmd, "goes with --workers URL: this process does not check its own results", "recheck")
}

// serverFlag is --workers URL.
type serverFlag struct{ *workerFlags }

func (f serverFlag) String() string { return "" }
func (f serverFlag) Type() string   { return "url" }

func (f serverFlag) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		u, err := url.Parse(part)
		if err != nil || u.Scheme != "nats" && u.Scheme != "tls" || u.Host == "" {
			return errors.New("the URL of a server is needed, as nats://HOST:4222 or tls://HOST:4222")
		}
	}
	f.server = text
	return nil
}

// coresFlag is --workers N, or --workers URL.
type coresFlag struct {
	serverFlag
	cores *int
}

func (f coresFlag) Type() string { return "n or URL" }

func (f coresFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case err == nil && n < 1:
		return errors.New("at least 1 is needed")
	case err == nil:
		*f.cores, f.server = n, ""
		return nil
	}
	if err := f.serverFlag.Set(text); err != nil {
		return fmt.Errorf("a number of cores, or %w", err)
	}
	*f.cores = 0
	return nil
}

// rate is the --recheck flag: a part of something.
type rate float64

func (r *rate) String() string { return strconv.FormatFloat(float64(*r)*100, 'g', -1, 64) + "%" }
func (r *rate) Type() string   { return "part" }

func (r *rate) Set(text string) error {
	number, percent := strings.CutSuffix(text, "%")
	part, err := strconv.ParseFloat(number, 64)
	if percent {
		part /= 100
	}
	if err != nil || !(part >= 0 && part <= 1) {
		return errors.New("a part of all is needed, from 0 to 100%")
	}
	*r = rate(part)
	return nil
}

// hire connects the workers, if there are to be some. The function leave ends that, and
// reports who has computed what. The context that hire returns also ends when no unit can
// be handed out any more: then there is no answer, see [workerFlags.settle].
func (s *session) hire(ctx context.Context, cmd *cobra.Command, c *workerFlags) (_ context.Context, leave func(), err error) {
	if c.server == "" {
		return ctx, func() {}, nil
	}
	build, err := buildID()
	if err != nil {
		return nil, nil, err
	}
	c.hired, err = work.Start(cmd.Context(), work.Options{
		Server: c.server, Build: build, Version: version(), Rate: float64(c.recheck), Judge: &worker.Worker{Build: build},
		Warn: s.caution, Status: s.progress.workers,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("--workers: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		select {
		case <-c.hired.Down():
		case <-ctx.Done():
		}
	}()
	stop := context.AfterFunc(cmd.Context(), func() { _ = c.hired.Close() }) // beside the question, which ends too
	return ctx, func() {
		stop()
		cancel()
		s.progress.stop()
		s.failed(c.hired.Failed())
		if err := c.hired.Close(); err != nil {
			s.caution(err.Error())
		}
		fmt.Fprintf(s.err, "computed by: %s\n", c.hired.Computed())
	}, nil
}

// hands are the workers, nil if there are none.
func (c *workerFlags) hands() work.Hands {
	if c.hired == nil {
		return nil
	}
	return c.hired
}

// lost is why nothing can be handed out any more, nil if it can.
func (c *workerFlags) lost() error {
	if c.hired == nil {
		return nil
	}
	return c.hired.Lost()
}

// settle waits for pending rechecks. Consequences of an answer come only after it.
func (c *workerFlags) settle(ctx context.Context) error {
	if c.hired == nil {
		return nil
	}
	return c.hired.Settle(ctx)
}

// caution writes a warning of several lines, above the line of progress if there is one.
func (s *session) caution(text string) {
	for i, line := range strings.Split(text, "\n") {
		if i == 0 {
			line = "warning: " + line
		}
		s.progress.note(s.err, line)
	}
}

// failed reports the units that no worker could do, and the reasons.
func (s *session) failed(all []work.Failed) {
	for _, f := range all {
		fmt.Fprintf(s.err, "failed: the unit %s was %s\n", f.Name(), text.Safe(f.Result.SetAside()))
		for line := range strings.Lines(f.Result.Log) {
			fmt.Fprintf(s.err, "  %s\n", text.Safe(strings.TrimRight(line, "\r\n")))
		}
	}
}
