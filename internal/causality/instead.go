package causality

import (
	"cmp"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Instead returns the other messages of the execution e that would have given the fact
// of the change missing, all of which were lost or came too late, with their fates. The
// result only is their sender, "" if there are several. It is for facts that come by a
// message.
func Instead(missing result.Change, e *recording.Execution) (instead []result.Cause, only string) {
	i := slices.IndexFunc(missing.Causes, func(c result.Cause) bool { return c.From != "" })
	if i < 0 || !missing.Missing || missing.Until == missing.Fact.Round { // one message alone would have given it
		return nil, ""
	}
	by := missing.Causes[i]
	only = by.From
	for _, m := range e.Messages {
		if m.To != by.To || m.From == "" || m.Again || m.Relation != missing.Fact.Relation || !slices.Equal(m.Args, missing.Fact.Args) || m.Round+1 < missing.Fact.Round || m.Round >= missing.Until {
			continue
		}
		if m.From != by.From {
			only = ""
		}
		if m.From != by.From || m.Round != by.Round {
			instead = append(instead, became(m))
		}
	}
	return joined(instead), only
}

// became returns the fate of a message that did not give a fact.
func became(m recording.Message) result.Cause {
	c := result.Cause{How: Lost, From: m.From, To: m.To, Round: m.Round}
	if m.Lost {
		c.Fault.Faults = []rounds.Fault{m.Cause}
	} else {
		c.How, c.Arrival = Late, m.Arrival
	}
	return c
}

// joined joins the fates of a message in successive rounds to one cause.
func joined(all []result.Cause) []result.Cause {
	slices.SortStableFunc(all, func(a, b result.Cause) int { return cmp.Compare(a.From, b.From) })
	var list []result.Cause
	for _, c := range all {
		if n := len(list) - 1; n >= 0 && c.Arrival == 0 && list[n].From == c.From && max(list[n].Round, list[n].Until)+1 == c.Round && slices.Equal(list[n].Fault.Faults, c.Fault.Faults) {
			list[n].Until = c.Round
			continue
		}
		list = append(list, c)
	}
	return list
}
