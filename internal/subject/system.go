package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// System is a question about a system, which a host has: another program.
type System struct {
	Common

	Command    string             // starts the host
	Name       string             // which of the systems of the host; "": it has one
	Properties []string           // files with Mangle rules that the system has to satisfy as well
	Inputs     []string           // files that the answers of the host depend on; nil: that is not known
	Executions int                // 0: 10,000
	Seed       uint64             // the seed of random draws
	Past       []result.Violation `json:"-"` // are known, and the search goes on past them

	GoroutineOrders bool          `json:",omitempty"` // the order of goroutines is drawn as well
	Statistics      bool          `json:",omitempty"` // are counted of executions
	CallTimeout     time.Duration // how long a call of a process may take before it is tried again; 0: 10 s

	Parts    work.Hands `json:"-"` // do parts of the search; nil: nobody does
	Programs *Programs  `json:"-"` // hosts that were built to be handed out; nil: one is built for this question alone
	Stderr   io.Writer  `json:"-"` // gets what the host writes to standard error; nil: nobody does

	room string // where the command runs, if that is not Dir
}

// Open starts the host.
func (s *System) Open(ctx context.Context) (*Opened, error) {
	return opening(ctx, s, func() (asked, error) { return s.open(ctx) })
}

// Copy returns an equal question that can be changed alone.
func (s *System) Copy() Subject {
	other := *s
	return &other
}

// AsProtocol returns nil.
func (s *System) AsProtocol() *Protocol { return nil }

// AsSystem returns the system.
func (s *System) AsSystem() *System { return s }

// GoPast makes the search ignore the violations of an execution, which are known.
func (s *System) GoPast(in *result.Injection) {
	s.Past = append(s.Past, in.Violations...)
}

// patience is how long a call of a process may take at first.
func (s *System) patience() time.Duration { return cmp.Or(s.CallTimeout, search.Patience) }

// Tested tells whether the host is a test, judging by its command.
func (s *System) Tested() bool {
	words, err := text.ShellSplit(s.Command)
	if err != nil {
		return false
	}
	p, ok := gobuild.ParseCommand(words)
	return ok && p.Test || slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-test.") })
}

// OpenedSystem is a system of a host that runs, with its bounds.
type OpenedSystem struct {
	*remote.System
	question *System
	limits   rounds.Bounds
	guide    *guide.Guide // nil: there is none

	mutex   sync.Mutex     // guards the fields below, which change when the host is lost
	live    *remote.System // the system that answers
	program *remote.Remote
	end     context.CancelFunc
	gone    bool // a finding has ended it

	reading sync.Mutex      // guards the fields below
	read    bool            // the sources were read, as far as they exist
	shared  []gobuild.Write // to variables that the servers share
}

// AsProtocol returns nil.
func (h *OpenedSystem) AsProtocol() *OpenedProtocol { return nil }

// AsSystem returns the system.
func (h *OpenedSystem) AsSystem() *OpenedSystem { return h }

// system returns the live system.
func (h *OpenedSystem) system() *remote.System {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.live
}

// open starts the host. The end of the context ends only the start: results known at that
// time can still be confirmed.
func (s *System) open(ctx context.Context) (*OpenedSystem, error) {
	if s.Command == "" {
		return nil, errNothing
	}
	h, err := s.startProgram(ctx, remote.Options{CallTimeout: s.patience()})
	if err != nil {
		return nil, err
	}
	if h.System, err = h.program.System(s.Name); err == nil {
		h.live = h.System
		if h.limits, err = h.overridden(); err == nil {
			h.limits, err = h.WithKinds(ctx, h.limits, h.Asks.Settings)
		}
		if slices.Contains(h.Offers, search.OffersSignals) {
			limits.Longer(ctx, 2*search.AfterPrograms) // of the host, and to confirm what it says
		}
	}
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// Systems starts the host and returns the names of all systems that it has.
func (s *System) Systems(ctx context.Context) ([]string, error) {
	h, err := s.startProgram(ctx, remote.Options{})
	if err != nil {
		return nil, err
	}
	defer h.Close()
	var names []string
	for _, s := range h.program.Systems() {
		names = append(names, s.Name)
	}
	return names, nil
}

// startProgram starts the program of a host, without choosing a system.
func (s *System) startProgram(ctx context.Context, o remote.Options) (*OpenedSystem, error) {
	properties, err := s.properties()
	if err != nil {
		return nil, err
	}
	guide, err := s.ReadGuide()
	if err != nil {
		return nil, err
	}
	command, dir, err := s.start(ctx)
	if err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	o.Dir, o.Stderr, o.Properties, o.Called = dir, s.Stderr, properties, s.Command
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	startEnded := context.AfterFunc(ctx, end)
	program, err := remote.Start(life, command, o)
	startEnded()
	if err != nil {
		end()
		return nil, cmp.Or(ctx.Err(), err)
	}
	return &OpenedSystem{question: s, program: program, end: end, guide: guide}, nil
}

// properties reads the additional rules that a system has to satisfy.
func (s *System) properties() ([]property.Property, error) {
	if err := s.regular(s.Properties); err != nil {
		return nil, err
	}
	var properties []property.Property
	for _, file := range s.Properties {
		p, err := s.property(file)
		if err != nil {
			return nil, err
		}
		properties = append(properties, p)
	}
	return properties, nil
}

// property reads the rules of a file.
func (s *System) property(file string) (property.Property, error) {
	if s.FS == nil {
		return rules.Load(s.path(file))
	}
	text, err := files.ReadFrom(s.FS, s.path(file), files.Text)
	if err != nil {
		return property.Property{}, fmt.Errorf("reading a property: %w", err)
	}
	return rules.New(propertyName(file), string(text)), nil
}

// propertyName returns the name of a property for the rules of a file.
func propertyName(file string) string {
	return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
}

// Close ends the host.
func (h *OpenedSystem) Close() error {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	defer h.end()
	return h.program.Close()
}

// overridden returns the bounds of the system with the settings of the subject.
func (h *OpenedSystem) overridden() (rounds.Bounds, error) {
	for _, o := range OnlyOther(true) {
		if _, ok := h.question.Bounds[o.Name]; ok {
			return rounds.Bounds{}, &rounds.OverrideError{Key: o.Name, Message: o.Instead}
		}
	}
	if _, ok := h.question.Bounds["choices"]; ok && len(h.Choices) == 0 {
		return rounds.Bounds{}, &rounds.OverrideError{Key: "choices", Message: fmt.Sprintf("the system %s lets a schedule choose no requests (System.Choices)", h.Name)}
	}
	settings := map[string]string{"processes": strings.Join(h.Processes, ","), "eot": strconv.Itoa(h.Rounds), "crash": "stop"}
	maps.Copy(settings, h.question.Bounds)
	bounds, err := rounds.BoundsFrom(settings)
	if err != nil {
		return rounds.Bounds{}, err
	}
	if h.guide != nil {
		return h.Unfaulted(bounds), nil
	}
	return h.DefaultBounds(bounds), nil
}

// fileOf returns the file of a property, or "" if the property is one of the host.
func (s *System) fileOf(name string) string {
	i := slices.IndexFunc(s.Properties, func(file string) bool { return propertyName(file) == name })
	if i < 0 {
		return ""
	}
	return s.path(s.Properties[i])
}
