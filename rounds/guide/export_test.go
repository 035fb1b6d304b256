package guide

import (
	"math/rand/v2"
	"testing"
)

// Long and Seed are the flags of campaigns: how much to try, and from which seed on.
var (
	Long = long
	Seed = seed
)

// RandomForSystems returns a random guide for systems that send v and w, and report p and q.
func RandomForSystems(t *testing.T, rng *rand.Rand) (*Guide, string) {
	t.Helper()
	for {
		text := forSearches.Replace(randomGuide(rng))
		if rng.IntN(3) == 0 {
			text += "\n" + `hold(M) :- message(M, _, _, "w", _, R), R < 3.` + "\n" + `release(M, S) :- p(_, 1, R), round(S), S > R, message(M, _, _, _, "two", _).`
		}
		if rng.IntN(3) == 0 {
			text += "\n" + `deliver(M) :- message(M, P, _, "v", _, R), q(P, _, S), S < R.`
		}
		if rng.IntN(2) == 0 {
			text += "\n" + `goto("start", "x") :- p(P, 1, R).` + "\n" + `goto("x", "y") :- q(P, _, R).` + "\n" + `bad("y").`
		}
		if g, err := Parse("random.mg", text); err == nil {
			return g, text
		}
	}
}
