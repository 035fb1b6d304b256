package strategies

import (
	"errors"
	"math/big"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
)

// lostOneIn is the inverse of the probability of a loss.
const lostOneIn = 4

// Drop loses the messages of one process to another in a round with a fixed
// probability, all or those of a kind that the bounds pick out. Other strategies are compared
// with it.
var Drop = dropping()

func dropping() *search.Strategy {
	s := strategy("drop", drawDrop)
	s.Refuse = refuseDrop
	return s
}

func drawDrop(b rounds.Bounds) drawn {
	u := schedules.New(b)
	slots := omissionsOf(u)
	// To be lost is less likely than to arrive: least likely is that all are.
	all := new(big.Int).Exp(big.NewInt(lostOneIn*int64(1+len(b.Kinds))), big.NewInt(int64(len(slots))), nil)
	return drawn{
		draw: func(c schedules.Chance) rounds.Schedule {
			return u.Meet(c, func() rounds.Schedule {
				on := map[int]bool{}
				for _, slot := range slots {
					switch {
					case c.IntN(lostOneIn) > 0:
					case len(slot) == 1:
						on[slot[0]] = true
					default:
						on[slot[c.IntN(len(slot))]] = true
					}
				}
				return u.Schedule(func(unit int) bool { return on[unit] })
			})
		},
		least: oneIn(all),
	}
}

// omissionsOf returns the omissions of each link in each round: of all messages, and of those
// of each kind that the bounds pick out.
func omissionsOf(u *schedules.Universe) (slots [][]int) {
	at := map[rounds.Fault]int{}
	for unit := range u.Len() {
		f := u.Fault(unit)
		f.Of = ""
		i, known := at[f]
		if !known {
			i = len(slots)
			at[f], slots = i, append(slots, nil)
		}
		slots[i] = append(slots[i], unit)
	}
	return slots
}

// allowed returns the bounds that Drop needs, as settings.
func allowed(b rounds.Bounds) string {
	if b.Choices != 0 {
		return "omissions=unlimited choices=0"
	}
	return "omissions=unlimited"
}

// refuseDrop demands bounds that Drop keeps.
func refuseDrop(b rounds.Bounds) error {
	only := rounds.Bounds{Processes: b.Processes, EOT: b.EOT, EFF: b.EFF, From: b.From, FaultFree: b.FaultFree, Omissions: rounds.Unlimited, Reliable: b.Reliable, Kinds: b.Kinds}
	if b.Omissions == rounds.Unlimited && schedules.Count(only).Cmp(schedules.Count(free(b))) == 0 {
		return nil
	}
	return errors.New("drop: it loses any messages, has no other faults and chooses nothing: allow omissions without a limit and nothing else (" + allowed(b) + ")")
}
