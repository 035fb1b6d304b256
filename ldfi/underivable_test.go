package ldfi_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// A lock that is granted to whoever asks a server that has it.
const lock = `// ldfi: processes=a,b,s eot=6 crashes=1
server("a", "s")@1; server("b", "s")@1;
server(P, S)@next :- server(P, S);
want("a")@2; want("b")@4;
request(S, P)@async :- want(P), server(P, S);
holds(P, R) :- grant(P, R);
`

// That violation never holds says nothing where nobody ever gets the lock.
func TestViolationThatCanNeverBeDerived(t *testing.T) {
	const nobody = "violation can never be derived: grant(P, R) (test.ded:6:16) has no fact in any scenario within the bounds"
	for text, sentence := range map[string]string{
		// The lock is another server's, so that nobody gets it.
		`free("z", "r")@1; free(S, R)@next :- free(S, R);
grant(P, R)@async :- request(S, P), free(S, R);
violation(R) :- holds(P, R), holds(Q, R), P != Q;`: nobody,
		`grant(P, "r")@async :- request(S, P), want(S);
violation(R) :- both(R);
both(R) :- holds(P, R), holds(Q, R), P != Q;
both(R)@next :- both(R);`: nobody,
		// What persists would have to be there first.
		`lock(P, N)@next :- lock(P, N);
violation(N) :- lock(P, N), lock(Q, N), P != Q;`: "violation can never be derived: lock(P, N) (test.ded:8:17) has no fact in any scenario within the bounds",
		// Both get it, one after the other.
		`grant(P, "r")@async :- request(_, P);
violation(R) :- holds(P, R), holds(Q, R), P != Q;`: "",
		`grant(P, "r")@async :- request(_, P);
violation(R) :- both(R);
both(R) :- holds(P, R), holds(Q, R), P != Q;
both(R)@next :- both(R);`: "",
		// The positive part happens, and what is negated keeps it.
		`grant(P, "r")@async :- request(_, P);
violation(R) :- holds(P, R), notin server(P, "s");`: "",
		// One of two rules is enough.
		`grant(P, "r")@async :- request(_, P);
violation(R) :- holds(P, R), want(P)@1;
violation(R) :- holds(P, R), P == "z";`: "",
		// What the protocol must not do has constants of its own.
		`state(P, "waits") :- want(P), notin state(P, "holds");
state(P, "holds")@next :- state(P, "waits"), holds(P, _), want(P);
state(P, S)@next :- state(P, S);
hint(Q)@async :- state(P, _), server(Q, P);
grant(P, "r")@async :- request(_, P);
violation(P) :- state(P, "holds");`: "",
		// Nobody could make it so.
		`state(P, "waits") :- want(P);
state(P, "holds")@next :- state(P, "waits"), grant(P, "z");
state(P, S)@next :- state(P, S);
hint(Q)@async :- state(P, _), server(Q, P);
grant(P, "r")@async :- request(_, P);
violation(P) :- state(P, "holds");`: `violation can never be derived: state(P, "holds") (test.ded:12:17) has no fact in any scenario within the bounds`,
		// Constants, one variable twice, and crashes.
		`grant(P, "r")@async :- request(_, P);
violation(R) :- holds(P, R), server(P, "z");
violation(P) :- server(P, P);
violation(P) :- holds(P, _), want(P)@1;`: `violation can never be derived: server(P, "z") (test.ded:8:30) has no fact, and server(P, P) (test.ded:9:17) has no fact, and want(P)@1 (test.ded:10:30) has no fact in any scenario within the bounds`,
		`grant(P, "r")@async :- request(_, P);
violation(P) :- holds(P, _), crash(P, P, 1);`: "",
	} {
		p, b := parse(t, lock+text)
		r, err := model(t, p, b, ldfi.Options{}).Check(t.Context())
		require.NoError(t, err)
		require.Equal(t, result.Holds, r.Verdict, text)
		require.Equal(t, sentence, r.Vacuity, text)
	}
	p, b := parse(t, lock+`grant(P, "r")@async :- request(_, P); violation(P) :- holds(P, _), crash(P, P, 1);`)
	b.Crashes = 0
	r, err := model(t, p, b, ldfi.Options{}).Check(t.Context())
	require.NoError(t, err)
	require.Contains(t, r.Vacuity, "crash(P, P, 1) (test.ded:7:68) has no fact")
}
