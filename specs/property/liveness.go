package property

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/datalog"
)

// Durable returns the property that nothing acknowledged is lost: for every fact
// acknowledged(process, value), of whatever round, some process reports stored(process,
// value) in the last round. So a process has to report what it stores in every round,
// or at least in the last.
func Durable(acknowledged, stored string) Property {
	p := about(acknowledged+" stays "+stored, acknowledged, fmt.Sprintf(`
pre(V) :- RELATION(_, V, _);
post(V) :- %s(_, V, N), eot(N);
`, datalog.TableName(stored)))
	p.CrashedCounts = true
	return p
}

// EventualProgress returns the property that after the round afterRound, say the last
// that may have faults, some process reports a fact of the relation, which has the
// given number of arguments, the process included. This is a liveness property: a late
// fact is no violation (see Property.ByEnd). Executions that end with afterRound or
// before it are not judged.
func EventualProgress(relation string, arguments, afterRound int) Property {
	what := fmt.Sprintf("%s after round %d", relation, afterRound)
	p := about(what, relation, fmt.Sprintf(`
pre("%[1]s") :- eot(N), N > %[2]d;
post("%[1]s") :- RELATION(%[3]sR), R > %[2]d;
`, what, afterRound, strings.Repeat("_, ", max(0, arguments))))
	p.ByEnd = true
	return p
}

// Convergence returns the property that in the last round all processes that are up
// report the same facts of the relation, which has the given number of arguments, the
// process included. So replicas of a store that report key(process, key, value) in
// every round have the same values in the end. Processes that have crashed or stand
// still in the last round do not count. In a violation
//
//	violation(P, Q, V, W)
//
// P reports V and W, and Q does not. This is a liveness property: replicas that
// converge only later do not violate it (see Property.ByEnd).
func Convergence(relation string, arguments int) Property {
	var values strings.Builder
	for i := range max(0, arguments-1) {
		fmt.Fprintf(&values, ", V%d", i)
	}
	rules := strings.ReplaceAll(convergence, ", VALUES", values.String())
	p := about("convergence of "+relation, relation, rules)
	p.ByEnd = true
	return p
}

// A process that crashes at a point has come back before that, if it restarts in that round.
const convergence = `
RELATION_last(P, VALUES) :- RELATION(P, VALUES, N), eot(N);
RELATION_back(P, R) :- crashed(P, R), restarted(P, S), S > R;
RELATION_back(P, R) :- crashed(P, R), restarted(P, R), notin crashed_at(P, _, R);
RELATION_away(P) :- crashed(P, R), notin RELATION_back(P, R);
RELATION_away(P) :- paused(P, N), eot(N);
RELATION_up(P) :- process(P), notin RELATION_away(P);
violation(P, Q, VALUES) :- RELATION_last(P, VALUES), RELATION_up(P), RELATION_up(Q), P != Q, notin RELATION_last(Q, VALUES);
`
