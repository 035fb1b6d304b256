package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// The commands of the server. Their first argument is the file of a program; that of why has a
// fact as well, and may have a schedule of faults.
const (
	runCommand     = "ldfi.run"
	whyCommand     = "ldfi.why"
	exploreCommand = "ldfi.explore"
)

// promises are the relations whose rules state what is promised.
var promises = []string{"post", "good", "violation"}

// promise is a relation that states what a program promises, and where its commands are shown.
type promise struct {
	relation string
	by       *outline // that defines it
	at       span
}

// promised returns the promises of a file. Those that a program includes are shown at its
// settings.
func (c *conversation) promised(o *outline) []promise {
	all := o.promised()
	if len(all) > 0 || len(o.program.Settings) == 0 {
		return all
	}
	at := o.program.Settings[0].Position
	for _, other := range c.read(o.path).outlines() {
		for _, p := range other.promised() {
			p.at = o.word(o.document.at(at))
			all = append(all, p)
		}
	}
	return all
}

// promised returns the promises that a file states, at the first rule of each.
func (o *outline) promised() (all []promise) {
	for _, relation := range promises {
		if n := slices.IndexFunc(o.names, func(n name) bool { return n.defines && n.text == relation }); n >= 0 {
			all = append(all, promise{relation, o, o.span(o.names[n])})
		}
	}
	return all
}

// lenses answers which commands there are at the promises of a file.
func (c *conversation) lenses(_ context.Context, p documentParams) (any, error) {
	d, err := c.named(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	all := []codeLens{}
	for _, promise := range c.promised(newOutline(d)) {
		for _, command := range c.commands(d, promise) {
			command.Title, _, _ = strings.Cut(command.Title, " ")
			all = append(all, codeLens{promise.at, command})
		}
	}
	return all, nil
}

// actions answers the same of a line, for editors that show no lenses.
func (c *conversation) actions(_ context.Context, p rangeParams) (any, error) {
	d, err := c.named(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	all := []command{}
	for _, promise := range c.promised(newOutline(d)) {
		if promise.at.Start.Line == p.Range.Start.Line {
			all = append(all, c.commands(d, promise)...)
		}
	}
	return all, nil
}

// commands are the commands about a promise of the program to which a file belongs.
func (c *conversation) commands(d *document, p promise) []command {
	program := c.programsOf(d.path)[0]
	uri, file := uriOf(program), filepath.Base(program)
	fact := p.relation + "(" + strings.Join(slices.Repeat([]string{"_"}, p.by.columns(p.relation)), ", ") + ")"
	return []command{
		{"run " + file, runCommand, []any{uri}},
		{"why " + fact, whyCommand, []any{uri, fact}},
		{"explore " + file, exploreCommand, []any{uri}},
	}
}

// columns returns the number of columns of a relation that the file defines.
func (o *outline) columns(relation string) int {
	for _, f := range o.program.Facts {
		if f.Relation == relation {
			return len(f.Args)
		}
	}
	for _, c := range o.program.Choices {
		if c.Relation == relation {
			return len(c.Columns)
		}
	}
	for _, r := range o.program.Rules {
		if r.Head.Relation == relation {
			return len(r.Head.Args)
		}
	}
	return 0
}

// execute carries out a command, and shows what it prints.
func (c *conversation) execute(ctx context.Context, p commandParams) (any, error) {
	given := make([]string, len(p.Arguments))
	for i, argument := range p.Arguments {
		if err := json.Unmarshal(argument, &given[i]); err != nil {
			return nil, fmt.Errorf("%s: argument %d is no string", p.Command, i+1)
		}
	}
	if len(given) == 0 {
		return nil, errors.New(p.Command + " needs the name of a file, as file:///path/to/program.ded")
	}
	path, ok := pathOf(given[0])
	if !ok {
		return nil, fmt.Errorf("%s: %s is not the name of a file, as file:///path/to/program.ded", p.Command, given[0])
	}
	said, err := c.carryOut(ctx, p.Command, path, given[1:])
	if err != nil || ctx.Err() != nil { // nobody wants to know what a cancelled one says
		return nil, err
	}
	c.notify("window/logMessage", messageParams{severityInformation, said})
	c.notify("window/showMessage", messageParams{severityInformation, beginning(said)})
	return said, nil
}

// mostLines is how many lines of what a command says are shown as a message.
const mostLines = 20

// beginning returns the first lines of a text.
func beginning(said string) string {
	lines := strings.Split(strings.TrimRight(said, "\n"), "\n")
	if len(lines) <= mostLines {
		return strings.Join(lines, "\n")
	}
	return fmt.Sprintf("%s\n(%d more lines)", strings.Join(lines[:mostLines], "\n"), len(lines)-mostLines)
}

// carryOut returns what a command says of a program.
func (c *conversation) carryOut(ctx context.Context, command, path string, given []string) (string, error) {
	dir, file := filepath.Split(path)
	switch {
	case command == runCommand && len(given) == 0:
		return c.Ask(ctx, c.disk(dir), []string{"run", "--", file})
	case command == whyCommand && len(given) == 1:
		return c.Ask(ctx, c.disk(dir), []string{"why", "--", file, given[0]})
	case command == whyCommand && len(given) == 2:
		return c.Ask(ctx, c.disk(dir), []string{"why", "--faults=" + given[1], "--", file, given[0]})
	case command == exploreCommand && len(given) == 0:
		return "in a terminal: " + text.ShellJoin("ldfi", "explore", path), nil
	}
	return "", fmt.Errorf("there is no command %s with %s; there are %s", command, text.Plural(len(given)+1, "argument"),
		strings.Join([]string{runCommand + " FILE", whyCommand + " FILE FACT [SCHEDULE]", exploreCommand + " FILE"}, ", "))
}
