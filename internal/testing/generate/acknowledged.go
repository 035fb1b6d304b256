package generate

import (
	"fmt"
)

// acknowledgedRules are those of testdata/protocols/delivery/ack.ded.
const acknowledgedRules = `
log(A, M) :- broadcast(A, M);
copy(P, Q, M)@async :- log(Q, M), process(P)@1, P != Q, notin acknowledged(Q, P, M);
log(P, M) :- copy(P, Q, M);
acknowledged(Q, P, M)@async :- copy(P, Q, M);
log(P, M)@next :- log(P, M);
acknowledged(Q, P, M)@next :- acknowledged(Q, P, M);
pre(P, M) :- log(Q, M), process(P)@1, notin crash(Q, Q, _), notin crash(P, P, _);
post(P, M) :- log(P, M);
`

// Acknowledged is the acknowledged broadcast of testdata/protocols/delivery/ack12.ded
// among so many processes, two of which may crash. It keeps its promise.
func Acknowledged(processes int) Model {
	names := named(processes)
	var w writer
	w.bounds(names, "eot=14 eff=10 crashes=2")
	for _, p := range names {
		w.line("process(%q)@1;", p)
	}
	w.line("broadcast(%q, \"hello\")@1;", names[0])
	w.line("%s", acknowledgedRules)
	return Model{Name: fmt.Sprintf("ack-p%d", processes), Text: w.String()}
}
