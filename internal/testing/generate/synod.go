package generate

import (
	_ "embed"
	"fmt"
)

//go:embed synod.ded
var synodRules string

// Synod is single-decree Paxos as in testdata/protocols/paxos/synod.ded, for so many
// rounds. It keeps its promise.
func Synod(eot int) Model {
	var w writer
	w.bounds([]string{"p", "q", "x", "y", "z"}, "eot=%d eff=4 crashes=1", eot)
	w.line("%s", synodRules)
	return Model{Name: fmt.Sprintf("synod-eot%d", eot), Text: w.String()}
}
