package main

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/bisect"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/spf13/cobra"
)

// otherVersion has the flags of the version to compare with.
type otherVersion struct {
	files        []string
	system, name string
}

func (w *otherVersion) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&w.files, "with", nil, "compare with another version under the same faults: its `file` (repeatable)")
	cmd.Flags().StringVar(&w.system, "with-system", "", "compare with another version of the system: the `command` that starts it")
	cmd.Flags().StringVar(&w.name, "with-name", "", "compare with another `system` of that program, or of the one that --system starts")
}

// given tells whether there is another version.
func (w *otherVersion) given() bool { return len(w.files) > 0 || w.system != "" || w.name != "" }

// check refuses flags that do not go together.
func (w *otherVersion) check(cmd *cobra.Command, q *question) error {
	switch {
	case len(w.files) > 0 && q.system != "":
		return errUsage(cmd, "--with goes with files: another version of a system is named by --with-system or --with-name")
	case (w.system != "" || w.name != "") && q.system == "":
		return errUsage(cmd, "--with-system and --with-name go with --system: another version of a program is named by --with")
	case w.given() && cmd.Flags().Changed("against"):
		return errUsage(cmd, "--against is the schedule of a good execution of the same version: two versions are compared under one schedule, --faults")
	}
	return nil
}

// subject returns the other version of a question, and gives the question a name as well.
func (w *otherVersion) subject(about subject.Subject) subject.Subject {
	other := about.Copy()
	one, two := about.Shared(), other.Shared()
	if p := about.AsProtocol(); p != nil {
		names := bisect.ShortNames([]string{p.Files[0], w.files[0]})
		if names[0] == names[1] {
			names = []string{filepath.ToSlash(p.Files[0]), filepath.ToSlash(w.files[0])}
		}
		other.AsProtocol().Files = w.files
		one.Version, two.Version = names[0], names[1]
		return other
	}
	s, with := about.AsSystem(), other.AsSystem()
	with.Command, with.Name = cmp.Or(w.system, s.Command), cmp.Or(w.name, s.Name)
	one.Version, two.Version = s.Name, with.Name
	if s.Name == with.Name {
		one.Version, two.Version = s.Command, with.Command
	}
	return other
}

// versions is a comparison of two versions.
type versions struct {
	opened, other *subject.Opened
	parting       *subject.Parting // by which the schedule was found; nil if it was given
	schedule      rounds.Schedule
}

// diffVersions compares two versions under a schedule that is given, or found.
func (s *session) diffVersions(cmd *cobra.Command, q *question, w *otherVersion, files []string, faults string, output output) error {
	built, first := buildsFirst(cmd), q.timeout
	if built {
		first = 0
	}
	ctx, cancel := withTimeout(cmd.Context(), first)
	defer cancel()
	s.progress.start(s.stderr)
	defer s.progress.stop()
	about := q.subject(cmd, s, files)
	other := w.subject(about)
	v := &versions{}
	var err error
	if v.opened, err = about.Open(ctx); err != nil {
		return err
	}
	defer v.opened.Close()
	if v.other, err = other.Open(ctx); err != nil {
		return err
	}
	defer v.other.Close()
	if !built {
		return s.compareVersions(ctx, cmd, q, v, faults, output)
	}
	ctx, cancelComparing := withTimeout(ctx, q.timeout)
	defer cancelComparing()
	return s.timed(ctx, func() error { return s.compareVersions(ctx, cmd, q, v, faults, output) })
}

// compareVersions compares two versions that are open.
func (s *session) compareVersions(ctx context.Context, cmd *cobra.Command, q *question, v *versions, faults string, output output) (err error) {
	if cmd.Flags().Changed("faults") {
		if v.schedule, err = schedule("faults", faults, v.opened); err != nil {
			return err
		}
	} else {
		if v.parting, err = v.opened.Parting(ctx, v.other); err != nil {
			return err
		}
		if v.parting.Set == nil {
			return s.alike(v, q, output)
		}
		v.schedule = v.parting.Set.Schedule
	}
	d, err := v.opened.DiffWith(ctx, v.other, v.schedule)
	if err != nil {
		return err
	}
	if v.parting == nil {
		return s.writeDifference(d, v.opened.Bounds(), output, nil, nil)
	}
	return s.writeDifference(d, v.opened.Bounds(), output, v.parting.Answer, v.parting.Set)
}

// alike writes that no set of faults was found that breaks one version and not the other.
func (s *session) alike(v *versions, q *question, output output) error {
	a := v.parting.Answer
	q.costs(&a.Stats)
	if a.Verdict == result.Inconclusive {
		s.code = exitInconclusive
	}
	text := answertext.Alike(a, v.parting.Breaks.Version(), v.parting.Keeps.Version(), v.parting.Both, v.parting.Unfit)
	d := &result.Difference{Good: result.Side{Version: v.parting.Keeps.Version()}, Bad: result.Side{Version: v.parting.Breaks.Version(), Verdict: a.Verdict}, Text: []string{text}}
	return s.writeResult(output, d, answertext.NotFound(a, text, terminalStyle()).WriteText)
}
