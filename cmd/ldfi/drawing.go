package main

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// drawing has the flags for the contents of diagrams.
type drawing struct{ answertext.Drawing }

func (d *drawing) add(flags *pflag.FlagSet) {
	d.Style = terminalStyle()
	flags.StringSliceVar(&d.Hide, "hide", nil, "leave messages of these `relations` out of the diagram: beat,view")
	flags.StringSliceVar(&d.Show, "show", nil, "show the facts of these `relations` in the diagram: log,leader")
}

// fits refuses the flags where there is no diagram.
func (d *drawing) fits(cmd *cobra.Command, output output) error {
	for _, name := range []string{"hide", "show"} {
		if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "[]" {
			return errUsage(cmd, fmt.Sprintf("--%s is empty, which changes nothing: name relations, or leave it out", name))
		}
	}
	if output != "text" {
		return refuse(cmd, fmt.Sprintf("is about the diagram, which --output %s does not have: leave out one of them", output), "hide", "show")
	}
	return nil
}

// asked refuses the flags if the output has no diagrams.
func (d *drawing) asked(cmd *cobra.Command, diagrams bool, output output) error {
	if !diagrams {
		return refuse(cmd, "is about diagrams: ask for these with --diagram", "hide", "show")
	}
	if output != "text" {
		return errUsage(cmd, fmt.Sprintf("--diagram does not go with --output %s, which has the executions that diagrams show", output))
	}
	return d.fits(cmd, output)
}

// known reports relations that the program does not have, or relations to hide that have no
// messages.
func (d *drawing) known(o *subject.Opened) error {
	p := o.AsProtocol()
	if p == nil {
		return nil // the relations of a system are known from its executions only
	}
	all, sent := p.Relations()
	for _, name := range d.Show {
		if !slices.Contains(all, name) {
			return fmt.Errorf("--show: the program has no relation %q%s: it has %s", name, text.DidYouMean(name, all), text.List(all, "and"))
		}
	}
	for _, name := range d.Hide {
		switch {
		case len(sent) == 0:
			return fmt.Errorf("--hide: there are no messages of %q: the program sends none", name)
		case !slices.Contains(sent, name):
			return fmt.Errorf("--hide: there are no messages of %q%s: they are of %s", name, text.DidYouMean(name, sent), text.List(sent, "and"))
		}
	}
	return nil
}

// unseen tells of relations that an execution of a system has nothing of.
func (s *session) unseen(d *drawing, e *recording.Execution) {
	if e == nil || e.System == "" {
		return
	}
	var facts, messages []string
	for _, f := range e.Facts {
		facts = append(facts, f.Relation)
	}
	for _, m := range e.Messages {
		messages = append(messages, m.Relation, diagram.Says(m))
	}
	s.none("--show", d.Show, facts, "fact")
	s.none("--hide", d.Hide, slices.Concat(messages, facts), "message")
}

// none warns of names that are not in there.
func (s *session) none(flag string, names, there []string, what string) {
	slices.Sort(there)
	there = slices.Compact(there)
	for _, name := range names {
		if !slices.Contains(there, name) {
			fmt.Fprintf(s.err, "ldfi: warning: %s: the execution that is shown has no %s of %q%s\n", flag, what, name, text.DidYouMean(name, there))
		}
	}
}
