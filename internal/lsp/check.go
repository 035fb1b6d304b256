package lsp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/specs"
)

// What has to be evaluated is checked when nobody has typed for so long, and is given up after
// so long.
const (
	rest     = 300 * time.Millisecond
	patience = 2 * time.Second
)

// finding is what is wrong at a place.
type finding struct {
	in *document
	diagnostic
}

// checker checks programs, one after the other, in a goroutine of its own.
type checker struct {
	*conversation
	found    map[string][]finding    // by program: what its text shows, and what was evaluated since
	waiting  map[string]*program     // to be evaluated
	told     map[string][]diagnostic // what the editor was told last of each file, by path
	leftover chan struct{}           // closed when the last evaluation has come back
}

// check checks what changes until the context ends.
func (c *conversation) check(ctx context.Context) {
	done := make(chan struct{})
	close(done)
	k := &checker{c, map[string][]finding{}, map[string]*program{}, map[string][]diagnostic{}, done}
	pause := time.NewTimer(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.changes:
			k.atOnce()
			pause.Reset(rest)
		case <-pause.C:
			k.atRest(ctx)
		}
	}
}

// changed notes that a file is another one than before, and interrupts an evaluation.
func (c *conversation) changed(path string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.dirty[path] = true
	c.interrupt()
	select {
	case c.changes <- struct{}{}:
	default:
	}
}

// atOnce checks what the texts of the programs show that changes affect, and tells it.
func (k *checker) atOnce() {
	k.mutex.Lock()
	dirty, open := k.dirty, slices.Collect(maps.Keys(k.open))
	k.dirty = map[string]bool{}
	k.mutex.Unlock()
	for path := range dirty {
		if !slices.Contains(open, path) && isProgram(path) {
			k.read(path)
		}
	}
	wanted := map[string]bool{}
	for _, path := range open {
		for _, program := range k.programsOf(path) {
			wanted[program] = true
		}
	}
	maps.DeleteFunc(k.found, func(path string, _ []finding) bool { return !wanted[path] })
	maps.DeleteFunc(k.waiting, func(path string, _ *program) bool { return !wanted[path] })
	for path := range wanted {
		if _, known := k.found[path]; !known || k.affected(path, dirty) {
			p := k.read(path)
			k.found[path], k.waiting[path] = p.static(), p
		}
	}
	k.tell(dirty)
}

// affected tells whether a program reads one of some files.
func (c *conversation) affected(program string, dirty map[string]bool) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for path := range dirty {
		if path == program || c.reads[program][path] {
			return true
		}
	}
	return false
}

// static returns what the text of a program shows.
func (p *program) static() []finding {
	_, bounds, err := p.model()
	switch {
	case p.err != nil:
		return p.errors(p.err, severityError)
	case err != nil: // a library has no bounds
		return slices.Concat(p.warnings(vet.InOrder(p.parsed, vet.Text(p.parsed))), p.errors(err, severityInformation))
	}
	return p.warnings(vet.InOrder(p.parsed, slices.Concat(vet.Static(p.parsed, bounds), vet.Crashes(p.parsed, bounds.Crashes != 0))))
}

// find returns a finding at a position, or about the whole program.
func (p *program) find(at specs.Position, severity int, message string) []finding {
	d, offset := p.place(at)
	if d == nil {
		return nil
	}
	where := d.word(offset)
	if at.Line == 0 {
		where = d.span(0, len(d.line(0)))
	}
	return []finding{{d, diagnostic{where, severity, "ldfi", text.SafeLines(message)}}}
}

func (p *program) warnings(all []specs.Warning) (found []finding) {
	for _, w := range all {
		found = append(found, p.find(w.Position, severityWarning, w.Message)...)
	}
	return found
}

// errors returns a finding for each mistake in an error, with another severity if it is at no
// place.
func (p *program) errors(err error, whole int) (found []finding) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range several.Unwrap() {
			found = append(found, p.errors(err, whole)...)
		}
		return found
	}
	var one *specs.Error
	if errors.As(err, &one) && one.Line > 0 {
		return p.find(one.Position, severityError, one.Message)
	}
	var runaway *limits.RunawayError
	if errors.As(err, &runaway) {
		return p.find(runaway.Position, severityError, err.Error())
	}
	return p.find(specs.Position{}, whole, err.Error())
}

// atRest evaluates the programs that wait for it, until something changes.
func (k *checker) atRest(ctx context.Context) {
	for _, path := range slices.Sorted(maps.Keys(k.waiting)) {
		asked, cancel := context.WithTimeout(ctx, patience)
		if !k.begin(cancel) {
			return
		}
		found, err := k.evaluated(asked, k.waiting[path])
		cancel()
		if errors.Is(err, context.Canceled) {
			return
		}
		delete(k.waiting, path)
		k.found[path] = found
		k.tell(nil)
	}
}

// begin notes how to interrupt an evaluation that begins. It is false if something has
// changed already.
func (c *conversation) begin(cancel context.CancelFunc) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.dirty) > 0 {
		cancel()
		return false
	}
	c.interrupt = cancel
	return true
}

// evaluated returns all that is wrong with a program. When the time is up there is a note
// instead. The error is that of a context that was cancelled before.
func (k *checker) evaluated(ctx context.Context, p *program) ([]finding, error) {
	model, _, err := p.model()
	if err != nil {
		return p.static(), nil
	}
	warnings, err := k.vet(ctx, model)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return append(p.static(), p.find(specs.Position{}, severityInformation, fmt.Sprintf(
			"ldfi has checked the text only: to evaluate the program takes more than %v. ldfi vet %s takes the time that it needs.",
			patience, filepath.Base(p.path)))...), nil
	case errors.As(err, new(*limits.UndefinedError)):
		return append(p.static(), p.errors(err, severityError)...), nil
	case err != nil:
		return append(p.static(), p.errors(err, severityInformation)...), nil
	}
	return p.warnings(warnings), nil
}

// vet evaluates a model. It waits for an evaluation that was left before, which would take the
// time of this one.
func (k *checker) vet(ctx context.Context, model *ldfi.Model) ([]specs.Warning, error) {
	select {
	case <-k.leftover:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	back := make(chan struct{})
	k.leftover = back
	return limits.Await(ctx, 0, func() ([]specs.Warning, error) {
		defer close(back)
		return model.Vet(ctx, false)
	})
}

// tell tells the editor what is wrong with the files of which that has changed, and with those
// that have.
func (k *checker) tell(dirty map[string]bool) {
	all := map[string][]diagnostic{}
	for path := range k.told {
		all[path] = nil
	}
	for path := range dirty {
		if k.opened(path) != nil {
			all[path] = nil
		}
	}
	for _, program := range slices.Sorted(maps.Keys(k.found)) {
		for _, f := range k.found[program] {
			if !slices.Contains(all[f.in.path], f.diagnostic) {
				all[f.in.path] = append(all[f.in.path], f.diagnostic)
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if before, told := k.told[path]; !told || dirty[path] || !slices.Equal(before, all[path]) {
			k.publish(path, all[path])
		}
		if k.told[path] = all[path]; len(all[path]) == 0 {
			delete(k.told, path)
		}
	}
}

// publish tells the editor what is wrong with a file.
func (c *conversation) publish(path string, all []diagnostic) {
	params := diagnosticsParams{URI: uriOf(path), Diagnostics: append([]diagnostic{}, all...)}
	c.mutex.Lock()
	if d := c.open[path]; d != nil {
		params.URI, params.Version = d.uri, d.version
	}
	c.mutex.Unlock()
	c.notify("textDocument/publishDiagnostics", params)
}
