package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// hosted is a system of a host that runs, with its bounds.
type hosted struct {
	*remote.System
	subject *Subject
	limits  rounds.Bounds

	mutex   sync.Mutex     // of what follows, which changes when the host is lost
	live    *remote.System // is asked
	program *remote.Remote
	end     context.CancelFunc
	gone    bool // a finding has ended it

	reading sync.Mutex      // of what follows
	read    bool            // the sources were, as far as they are there
	shared  []gobuild.Write // to variables that the servers share
}

// system returns the one that is asked.
func (h *hosted) system() *remote.System {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.live
}

// openHosted starts the program with the system of a subject. The context ends
// only the start: what is known when it ends can still be confirmed. The caller
// has to close it.
func openHosted(ctx context.Context, s *Subject) (*hosted, error) {
	h, err := startProgram(ctx, s, remote.Options{CallTimeout: s.patience()})
	if err != nil {
		return nil, err
	}
	if h.System, err = h.program.System(s.Name); err == nil {
		h.live = h.System
		h.limits, err = h.overridden()
	}
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// Systems starts the program with the system of a subject and returns the names
// of all systems that it has.
func Systems(ctx context.Context, s *Subject) ([]string, error) {
	h, err := startProgram(ctx, s, remote.Options{})
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

// startProgram starts the program of a host, of which no system is chosen yet.
func startProgram(ctx context.Context, s *Subject, o remote.Options) (*hosted, error) {
	properties, err := s.properties()
	if err != nil {
		return nil, err
	}
	command, dir, err := s.start(ctx)
	if err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	o.Dir, o.Stderr, o.Properties, o.Called = dir, s.Stderr, properties, s.System
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	startEnded := context.AfterFunc(ctx, end)
	program, err := remote.Start(life, command, o)
	startEnded()
	if err != nil {
		end()
		return nil, cmp.Or(ctx.Err(), err)
	}
	return &hosted{subject: s, program: program, end: end}, nil
}

// properties reads the rules that a system has to satisfy as well.
func (s *Subject) properties() ([]property.Property, error) {
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
func (s *Subject) property(file string) (property.Property, error) {
	if s.FS == nil {
		return rules.Load(s.path(file))
	}
	text, err := files.ReadFrom(s.FS, s.path(file), files.Text)
	if err != nil {
		return property.Property{}, fmt.Errorf("reading a property: %w", err)
	}
	return rules.New(propertyName(file), string(text)), nil
}

// propertyName is what the rules of a file are called.
func propertyName(file string) string {
	return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
}

func (h *hosted) Close() error {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	defer h.end()
	return h.program.Close()
}

// overridden returns the bounds of the system with what the subject says instead.
func (h *hosted) overridden() (rounds.Bounds, error) {
	for _, o := range OnlyOther(true) {
		if _, ok := h.subject.Bounds[o.Name]; ok {
			return rounds.Bounds{}, &rounds.OverrideError{Key: o.Name, Message: o.Instead}
		}
	}
	if _, ok := h.subject.Bounds["choices"]; ok && len(h.Choices) == 0 {
		return rounds.Bounds{}, &rounds.OverrideError{Key: "choices", Message: fmt.Sprintf("the system %s lets a schedule choose no requests (System.Choices)", h.Name)}
	}
	settings := map[string]string{"processes": strings.Join(h.Processes, ","), "eot": strconv.Itoa(h.Rounds), "crash": "stop"}
	maps.Copy(settings, h.subject.Bounds)
	bounds, err := rounds.BoundsFrom(settings)
	if err != nil {
		return rounds.Bounds{}, err
	}
	return h.DefaultBounds(bounds), nil
}

// fileOf returns the file with a property, "" if it is one of the host.
func (s *Subject) fileOf(name string) string {
	i := slices.IndexFunc(s.Properties, func(file string) bool { return propertyName(file) == name })
	if i < 0 {
		return ""
	}
	return s.path(s.Properties[i])
}
