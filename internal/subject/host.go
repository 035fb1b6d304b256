package subject

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// host is a system of a program that runs.
type host struct {
	*remote.System
	overrides map[string]string
	program   *remote.Remote
	end       context.CancelFunc
}

// startHost starts the program with the system of a subject. The context ends
// only the start: what is known when it ends can still be confirmed. The caller
// has to close the host.
func startHost(ctx context.Context, s *Subject) (*host, error) {
	h, err := startProgram(ctx, s)
	if err != nil {
		return nil, err
	}
	if h.System, err = h.program.System(s.Name); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

// Systems starts the program with the system of a subject and returns the names
// of all systems that it has.
func Systems(ctx context.Context, s *Subject) ([]string, error) {
	h, err := startProgram(ctx, s)
	if err != nil {
		return nil, err
	}
	defer h.close()
	var names []string
	for _, s := range h.program.Systems() {
		names = append(names, s.Name)
	}
	return names, nil
}

// startProgram starts the program of a host, of which no system is chosen yet.
func startProgram(ctx context.Context, s *Subject) (*host, error) {
	properties, err := s.properties()
	if err != nil {
		return nil, err
	}
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	startEnded := context.AfterFunc(ctx, end)
	program, err := remote.Start(life, s.System, remote.Options{Dir: s.Dir, Stderr: s.Stderr, Properties: properties})
	startEnded()
	if err != nil {
		end()
		return nil, errors.Join(ctx.Err(), err)
	}
	return &host{overrides: s.Bounds, program: program, end: end}, nil
}

// properties reads the rules that a system has to satisfy as well.
func (s *Subject) properties() ([]property.Property, error) {
	var properties []property.Property
	for _, file := range s.Properties {
		p, err := rules.Load(s.path(file))
		if err != nil {
			return nil, err
		}
		properties = append(properties, p)
	}
	return properties, nil
}

// propertyName is what the rules of a file are called.
func propertyName(file string) string {
	return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
}

// close ends the program.
func (h *host) close() {
	_ = h.program.Close()
	h.end()
}

// bounds returns the bounds of the subject.
func (h *host) bounds() (rounds.Bounds, error) {
	for _, key := range []string{"processes", "crash", "goals"} {
		if _, ok := h.overrides[key]; ok {
			return rounds.Bounds{}, &rounds.OverrideError{Key: key, Message: "the system has its own"}
		}
	}
	settings := map[string]string{"processes": strings.Join(h.Processes, ","), "eot": strconv.Itoa(h.Rounds), "crash": "stop"}
	maps.Copy(settings, h.overrides)
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
