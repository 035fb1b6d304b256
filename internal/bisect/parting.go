package bisect

import (
	"bytes"
	"context"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// part finds how the broken version of a change breaks the promise under its schedule, and
// the other version keeps it, and the command that shows this if both are files.
func (m *matrix) part(ctx context.Context, c *Change, broken, good int, s rounds.Schedule, b rounds.Bounds) {
	bad, err := m.openWithin(ctx, broken, m.System, b)
	if err != nil {
		c.Unparted = err.Error()
		return
	}
	defer bad.Close()
	other, err := m.openWithin(ctx, good, m.System, b)
	if err != nil {
		c.Unparted = err.Error()
		return
	}
	defer other.Close()
	d, err := bad.DiffWith(ctx, other.Opened, s)
	if err != nil {
		c.Unparted = bad.place.localText(other.place.localText(err.Error()))
		return
	}
	for _, p := range []*place{bad.place, other.place} {
		p.localDifference(d)
	}
	c.Difference, c.words = d, causality.Describe(d, bad.Bounds())
	if bad.place.lasts() && other.place.lasts() && len(m.inputs) == 0 {
		c.Command = bad.AsProtocol().DiffCommand(other.AsProtocol(), s)
	}
}

// lasts tells whether a version is a protocol in files of the user's.
func (p *place) lasts() bool { return p.system == "" && !p.brief }

// localDifference leaves the directory of a version out of a difference.
func (p *place) localDifference(d *result.Difference) {
	local := func(at *specs.Position) { at.File = p.localText(at.File) }
	for i := range d.Changes {
		ch := &d.Changes[i]
		local(&ch.Position)
		for k := range ch.Causes {
			for r := range ch.Causes[k].Instead {
				local(&ch.Causes[k].Instead[r].Position)
			}
		}
	}
	for _, side := range []*result.Side{&d.Good, &d.Bad} {
		for i := range side.Violations {
			local(&side.Violations[i].Position)
		}
	}
}

// partText writes how the versions part, in words.
func (c *Change) partText(b *bytes.Buffer) {
	if c.Unparted != "" {
		field(b, "not compared", c.Unparted)
	}
	if c.words == nil {
		return
	}
	if c.words.Same != "" {
		field(b, "under", c.under()+": "+c.words.Same)
	} else {
		field(b, "under", c.under())
		for i, part := range c.words.Parts {
			field(b, causality.Beginning(i), part.First)
			field(b, "so", part.So...)
		}
	}
	field(b, "command", c.Command)
}

// under is the schedule under which the versions are compared.
func (c *Change) under() string {
	if s := c.Difference.Bad.Schedule.String(); s != "" {
		return s
	}
	return "no faults"
}
