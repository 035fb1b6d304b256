package property

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/relations"
)

// Durable says that nothing acknowledged is lost: for every fact
// acknowledged(process, value), of whatever round, some process reports
// stored(process, value) in the last round. So what is stored has to be reported
// in every round in which it is, or at least in the last.
func Durable(acknowledged, stored string) Property {
	return about(acknowledged+" stays "+stored, acknowledged, fmt.Sprintf(`
pre(V) :- RELATION(_, V, _);
post(V) :- %s(_, V, N), eot(N);
`, relations.TableName(stored)))
}

// EventualProgress says that after a round, say the last that may have faults,
// some process reports a fact of a relation, which it does with that many
// arguments, the process included. This is liveness: what comes late only is no
// violation ([Property.ByEnd]). Executions that end with that round or before it are
// not judged.
func EventualProgress(relation string, arguments, afterRound int) Property {
	what := fmt.Sprintf("%s after round %d", relation, afterRound)
	p := about(what, relation, fmt.Sprintf(`
pre("%[1]s") :- eot(N), N > %[2]d;
post("%[1]s") :- RELATION(%[3]sR), R > %[2]d;
`, what, afterRound, strings.Repeat("_, ", max(0, arguments))))
	p.ByEnd = true
	return p
}
