package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/connection"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/members"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/spf13/cobra"
)

// mostFailures is how many failures are listed.
const mostFailures = 10

// attendance is who is there, and what has failed, as workers writes it.
type attendance struct {
	Workers  []work.Worker   `json:"workers"`  // who is there
	Waiting  int             `json:"waiting"`  // units that nobody has begun
	Running  int             `json:"running"`  // units that somebody does
	Failures []store.Failure `json:"failures"` // the last ones, the newest first
}

func (s streams) workersCommand() *cobra.Command {
	var server connection.Options
	var output form
	cmd := &cobra.Command{
		Use:   "workers",
		Short: "List who works there, what they do, and what failed lately",
		Long: `workers asks the workers of a server what they do, and lists them. It also lists the last units that came to nothing, with the
reason and the end of what they have written.

A unit is named by the beginning of its address. Times are those of this machine for what is said now, and of the worker for
what it did.

Exit codes: 0 listed, 2 wrong usage, or there is no server.`,
		Example: `  ldfi workers --nats nats://127.0.0.1:4222
  ldfi workers --nats nats://build1:4222 --nkey ldfi.key --output json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			server.FromEnvironment()
			s.warn(server.Nkey)
			found, err := look(cmd.Context(), server)
			if err != nil {
				return err
			}
			if output == "json" {
				return text.WriteJSON(s.out, found)
			}
			return found.write(s.out)
		},
	}
	connectionFlags(cmd, &server)
	cmd.Flags().Var(&output, "output", "how to write the list: text or json")
	return cmd
}

// look asks who is there. Those who are there say so at once.
func look(ctx context.Context, o connection.Options) (*attendance, error) {
	nc, err := connection.Open("workers", o)
	if err != nil {
		return nil, err
	}
	defer nc.Close()
	kept, err := store.Open(ctx, nc)
	if err != nil {
		return nil, err
	}
	there, err := members.Listen(nc, nil)
	if err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(500 * time.Millisecond):
	}
	found := &attendance{Workers: []work.Worker{}}
	for _, m := range there.All() {
		found.Workers = append(found.Workers, m.Worker)
		found.Running += len(m.Doing)
	}
	units, err := kept.Waiting(ctx)
	if err != nil {
		return nil, fmt.Errorf("asking what waits: %w", err)
	}
	found.Waiting = max(0, int(units)-found.Running)
	if found.Failures, err = kept.Recent(ctx, mostFailures); err != nil {
		return nil, fmt.Errorf("asking what failed: %w", err)
	}
	return found, nil
}

// write writes the list for people.
func (f *attendance) write(to io.Writer) error {
	var b bytes.Buffer
	if len(f.Workers) == 0 {
		b.WriteString("nobody works there; start a worker: ldfi worker --nats URL\n")
	} else {
		rows := [][]string{{"worker", "ldfi", "platform", "slots", "done", "failed", "does"}}
		for _, w := range f.Workers {
			rows = append(rows, row(w)...)
		}
		text.Table(&b, "", rows)
	}
	fmt.Fprintf(&b, "\n%s wait, %d are being done\n", text.Plural(f.Waiting, "unit"), f.Running)
	for _, failure := range f.Failures {
		writeFailure(&b, failure)
	}
	_, err := to.Write(b.Bytes())
	return err
}

// writeFailure writes why a unit came to nothing, with the end of its log.
func writeFailure(b *bytes.Buffer, f store.Failure) {
	what := fmt.Sprintf("failed: %s %.12s on %s, %s: %s", f.Kind, f.Address, f.Worker, f.Time.Local().Format(time.DateTime), f.Reason)
	fmt.Fprintf(b, "\n%s\n", text.Safe(what))
	for line := range strings.Lines(f.Log) {
		fmt.Fprintf(b, "  %s\n", text.Safe(strings.TrimRight(line, "\r\n")))
	}
}

// row are the lines of a worker: one for each unit that it does, and at least one.
func row(w work.Worker) [][]string {
	platform := w.Platform
	if w.Hosts {
		platform += " (starts programs)"
	}
	first := []string{w.Name, ldfiOf(w), platform, strconv.Itoa(w.Slots), strconv.FormatInt(w.Done, 10), strconv.FormatInt(w.Failed, 10), "nothing"}
	rows := [][]string{first}
	for i, d := range w.Doing {
		if i > 0 {
			rows = append(rows, make([]string, len(first)))
		}
		rows[i][len(first)-1] = fmt.Sprintf("%s %.12s since %s", d.Kind, d.Address, d.Since.Local().Format(time.TimeOnly))
	}
	return rows
}

// ldfiOf names the ldfi of a worker, and which build that is if the version does not say it.
func ldfiOf(w work.Worker) string {
	if w.Build == w.Version {
		return w.Version
	}
	return fmt.Sprintf("%s, build %.12s", w.Version, w.Build)
}

// form is how to write a list: the flag --output.
type form string

func (f *form) String() string { return cmp.Or(string(*f), "text") }
func (*form) Type() string     { return "string" }

// Set reads the flag.
func (f *form) Set(text string) error {
	if text != "text" && text != "json" {
		return fmt.Errorf("there is text or json")
	}
	*f = form(text)
	return nil
}
