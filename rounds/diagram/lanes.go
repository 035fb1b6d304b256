package diagram

import (
	"github.com/lineage-driven/ldfi/internal/text"
)

// operationsOf draws the requests or the replies of a round.
func (d *diagram) operationsOf(r round, replies bool) []string {
	var rows []string
	shown, more := d.drawn(r, replies)
	for _, o := range shown {
		rows = append(rows, d.drawOperation(o))
	}
	if more != (tally{}) {
		rows = append(rows, d.finish(d.lifelines(r.number, false), "left out: "+more.String(), plain))
	}
	return rows
}

// drawOperation draws an arrow between a client and a process. What does not fit on
// it stands behind it.
func (d *diagram) drawOperation(o operation) string {
	row := d.lifelines(o.fact.Round, false)
	text := text.Safe(o.text())
	label := shorten(text, d.room)
	if o.process >= 0 {
		from, to := o.lane, o.process
		if o.isReply() {
			from, to = to, from
		}
		d.arrows(&row, &send{round: o.fact.Round, from: from, relation: o.fact.Relation, label: label, to: map[int]bool{to: false}})
	}
	remark, p := d.remark(o), fault
	switch {
	case label == text && o.process >= 0:
	case remark == "":
		remark, p = shorten(text, longestText), plain
	default:
		remark = shorten(text, longestText) + ", " + remark
	}
	return d.finish(row, remark, p)
}

// widen makes room for the names of clients, and for what they ask and are told as
// far as it is there.
func (d *diagram) widen() {
	if len(d.clients) == 0 {
		return
	}
	for _, name := range d.clients {
		d.gap = max(d.gap, text.Width(clientText(name))+1)
	}
	d.room = min(longestLabel, max(d.gap-5, width/d.columns()-6))
	for _, r := range d.model.rounds {
		for _, replies := range []bool{false, true} {
			shown, _ := d.drawn(r, replies)
			for _, o := range shown {
				d.gap = max(d.gap, text.Width(shorten(text.Safe(o.text()), d.room))+5)
			}
		}
	}
}

// clientText is the second line of the heading of a client's lane, below "client".
func clientText(process string) string { return "of " + text.Safe(process) }
