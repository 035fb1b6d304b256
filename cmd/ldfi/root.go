package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/spf13/cobra"
)

// The exit codes of every command.
const (
	exitHolds        = 0
	exitViolated     = 1
	exitUsage        = 2
	exitInconclusive = 3
)

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// session is one call of the command line.
type session struct {
	streams
	stdout io.Writer     // the real standard output, behind the buffer of streams.out
	stderr io.Writer     // the real standard error, before which streams.err makes all text printable
	buffer chunks        // results, made printable and written when the command has ended
	whole  chunks        // results that are printable
	exact  bytes.Buffer  // results that are written unchanged
	code   int           // the exit code, if there is no error
	args   []string      // of the command line
	disk   fs.FS         // where files are read from; nil: the disk
	text   *bytes.Buffer // receives the text of a result that is written as JSON; nil: not wanted

	progress progress // of a question
}

// run carries out one command line and returns the exit code. Results are written to out in
// one piece when they are complete; everything else goes to err. All output is made
// printable here, because names, strings and errors come from programs and hosts.
func run(ctx context.Context, args []string, s streams) int {
	edge := text.NewSafeWriter(s.err, colours()...)
	session := &session{streams: s, stdout: s.out, stderr: s.err, args: args}
	session.err = edge
	err := session.execute(ctx)
	if left := (*limits.LeftError)(nil); errors.As(err, &left) {
		code, text := failure(left)
		session.leave(text)
		return code
	}
	code, err := limits.Await(ctx, limits.QuestionGrace, func() (int, error) {
		defer edge.Flush()
		return session.say(err), nil
	})
	if err != nil {
		session.leave("interrupted: the output was not read to its end")
		return exitInconclusive
	}
	return code
}

// say writes the results, and the error, and returns the exit code.
func (s *session) say(err error) int {
	if writeErr := s.write(); writeErr != nil && err == nil {
		err = fmt.Errorf("writing the result: %w", writeErr)
	}
	if err != nil {
		code, text := failure(err)
		fmt.Fprintf(s.err, "ldfi: %s\n", text)
		return code
	}
	return s.code
}

// execute carries out the command line, and leaves its results in the buffers.
func (s *session) execute(ctx context.Context) error {
	s.out = &s.buffer
	root := s.root()
	root.SetArgs(s.args)
	root.SetIn(s.in)
	root.SetErr(s.err)
	if err := oneDash(root, s.args); err != nil {
		return err
	}
	return root.ExecuteContext(ctx)
}

// leave reports why a command ends that did not return when its time was up. The command
// may still run, and write to the buffers, so they are not read. The output may have no
// reader.
func (s *session) leave(why string) {
	said := make(chan struct{})
	go func() {
		defer close(said)
		s.progress.stop()
		fmt.Fprintf(s.stderr, "ldfi: %s\n", why)
	}()
	select {
	case <-said:
	case <-time.After(lastWords):
	}
}

// lastWords is how long a command tries to say why it ends.
const lastWords = 200 * time.Millisecond

// print makes the results printable. That belongs to the time of a command: there may be
// a hundred megabytes of them.
func (s *session) print() error {
	w := text.NewSafeWriter(&s.whole, colours()...)
	for i, chunk := range s.buffer {
		_, _ = w.Write(chunk) // chunks take everything
		s.buffer[i] = nil
	}
	s.buffer = nil
	return w.Flush()
}

// write writes the results.
func (s *session) write() error {
	err := s.print()
	_, _ = s.whole.Write(s.exact.Bytes())
	for _, chunk := range s.whole { // if there are no results, the reader may be gone
		if err == nil {
			_, err = s.stdout.Write(chunk)
		}
	}
	return err
}

// chunks is text that grows without being copied: a hundred megabytes that are copied at once
// hold up everything else in the process, clocks and signals too.
type chunks [][]byte

const (
	firstChunk   = 64 << 10
	largestChunk = 1 << 20
)

func (c *chunks) Write(text []byte) (int, error) {
	written := len(text)
	for len(text) > 0 {
		last := len(*c) - 1
		if last < 0 || len((*c)[last]) == cap((*c)[last]) {
			size := firstChunk
			if last >= 0 {
				size = largestChunk
			}
			*c = append(*c, make([]byte, 0, size))
			last++
		}
		chunk := &(*c)[last]
		n := min(len(text), cap(*chunk)-len(*chunk))
		*chunk, text = append(*chunk, text[:n]...), text[n:]
	}
	return written, nil
}

// failure returns the exit code of an error and its text. For a command that was stopped
// before its end, the input was not wrong.
func failure(err error) (code int, text string) {
	var limit *limits.LimitError
	switch {
	case errors.Is(err, context.Canceled):
		return exitInconclusive, "interrupted"
	case errors.Is(err, context.DeadlineExceeded):
		return exitInconclusive, "stopped: the time is up (--timeout)"
	case errors.As(err, &limit), errors.As(err, new(*limits.UnjudgedError)), errors.As(err, new(*sizeError)):
		return exitInconclusive, err.Error()
	default:
		return exitUsage, err.Error()
	}
}

func (s *session) root() *cobra.Command {
	root := &cobra.Command{
		Use:     "ldfi",
		Version: version(),
		Short:   "Find the smallest set of faults that breaks a distributed protocol",
		Long: `ldfi searches for the smallest set of faults that breaks a promise of a distributed protocol or system.
It executes what it finds before it tells you, or certifies that there is nothing within the bounds.

Exit codes: 0 holds, 1 violated, 2 wrong usage or input, 3 inconclusive.
Ctrl-C ends a command within two seconds, with what is known by then; a second Ctrl-C ends it at once.`,
		Example: `  ldfi test ./...
  ldfi init
  ldfi run broadcast.ded
  ldfi inject broadcast.ded --faults 'crash a@2; omit a>c@1'
  ldfi why broadcast.ded 'post(c, "hello")@6'`,
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		Args:                       cobra.ArbitraryArgs,
		PersistentPreRunE:          fitting,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(writeUsage)
	root.AddCommand(s.commands()...)
	root.SetOut(s.out) // which the command for completions takes for its own at once
	for _, cmd := range root.Commands() {
		if cmd.RunE != nil {
			cmd.RunE = s.ending(cmd.RunE)
		}
		addHelpAll(cmd)
	}
	root.InitDefaultCompletionCmd("run")
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Run, cmd.RunE = nil, helpOf
		case "completion":
			cmd.Args, cmd.RunE = cobra.ArbitraryArgs, root.RunE
		}
	}
	return root
}

func unknownCommand(cmd *cobra.Command, name string) error {
	below := strings.TrimPrefix(cmd.CommandPath()+" "+name, "ldfi ")
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	for _, suggestion := range append([]string{text.Suggest(name, names)}, cmd.SuggestionsFor(name)...) {
		if suggestion == "" {
			continue
		}
		return fmt.Errorf("there is no command %q; did you mean %q?\nsee %s --help", below, suggestion, cmd.CommandPath())
	}
	return fmt.Errorf("there is no command %q\nsee %s --help", below, cmd.CommandPath())
}

// needFiles is the check of the arguments of commands that read a program.
func needFiles(what string, least int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least {
			return fmt.Errorf("%s needs %s\nsee %s --help", cmd.CommandPath(), what, cmd.CommandPath())
		}
		return nil
	}
}

// exitCode is the code that tells a verdict.
func exitCode(v result.Verdict) int {
	switch v {
	case result.Violated:
		return exitViolated
	case result.Inconclusive:
		return exitInconclusive
	default:
		return exitHolds
	}
}

// errUsage marks a mistake of the caller that a look at --help would mend.
func errUsage(cmd *cobra.Command, text string) error {
	return errors.New(text + "\nsee " + cmd.CommandPath() + " --help")
}
