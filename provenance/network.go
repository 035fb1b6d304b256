package provenance

import "github.com/lineage-driven/ldfi/solver"

// assume keeps only the schedules under which each round meets the assumptions of the
// bounds.
func (d *delivery) assume() {
	b := d.graph.Bounds
	if b.Deliver == "" && b.Kernel == "" || d.graph.restriction.among != nil {
		return
	}
	least, kernel := b.Network()
	until := b.EOT
	if d.graph.restriction.step != nil {
		until = 1 // the next round is a step of its own
	}
	for round := 1; round <= until; round++ {
		r := NetworkRound{
			Circuit: d.graph.Circuit, Processes: len(b.Processes), Own: b.OwnLost,
			Up:      func(p int) solver.Lit { return d.crashed(p, round).Not() },
			Arrives: func(from, to int) solver.Lit { return d.delivered("", from, to, round) },
		}
		for _, cond := range r.Conditions(least, kernel) {
			d.graph.require(cond)
		}
	}
}

// NetworkRound is one round in a circuit, for assumptions about its messages.
type NetworkRound struct {
	*solver.Circuit
	Processes int
	Up        func(process int) solver.Lit  // it takes part in the round
	Own       bool                          // it may not arrive at the sender
	Arrives   func(from, to int) solver.Lit // the messages from one process to another arrive in the round; false for a sender that is not up
}

// Conditions returns literals that all hold if each process that is up receives from no
// fewer than least processes, itself included, and, with kernel, one of them exchanges
// messages with all others.
func (r NetworkRound) Conditions(least int, kernel bool) []solver.Lit {
	var all []solver.Lit
	for p := range r.Processes {
		if least > 1 || r.Own && least == 1 {
			all = append(all, r.hears(p, least))
		}
	}
	if kernel {
		all = append(all, r.kernel())
	}
	return all
}

// hears is true when process p receives from no fewer than least processes, itself
// included, or is not up.
func (r NetworkRound) hears(p, least int) solver.Lit {
	var lost []solver.Lit
	for q := range r.Processes {
		if q != p || r.Own {
			lost = append(lost, r.Arrives(q, p).Not())
		}
	}
	return r.Or(r.Up(p).Not(), r.AtMost(lost, r.Processes-least))
}

// kernel is true when a process that is up exchanges messages with all others.
func (r NetworkRound) kernel() solver.Lit {
	var any []solver.Lit
	for k := range r.Processes {
		all := []solver.Lit{r.Up(k)}
		for p := range r.Processes {
			if p != k || r.Own {
				all = append(all, r.Or(r.Up(p).Not(), r.And(r.Arrives(k, p), r.Arrives(p, k))))
			}
		}
		any = append(any, r.Ands(all...))
	}
	return r.Ors(any...)
}
