package work

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func aUnit() *Unit {
	return &Unit{Kind: Search, Build: "v1", Files: map[string]string{"a.ded": Digest([]byte("a"))}, Ask: json.RawMessage(`{"x":1}`)}
}

// Whatever a result may depend on makes another unit.
func TestAddress(t *testing.T) {
	addresses := map[string]string{}
	for name, change := range map[string]func(*Unit){
		"nothing":  func(*Unit) {},
		"kind":     func(u *Unit) { u.Kind = Draws },
		"build":    func(u *Unit) { u.Build = "v2" },
		"platform": func(u *Unit) { u.Platform = "linux/amd64" },
		"file":     func(u *Unit) { u.Files["a.ded"] = Digest([]byte("b")) },
		"name":     func(u *Unit) { u.Files = map[string]string{"b.ded": Digest([]byte("a"))} },
		"question": func(u *Unit) { u.Ask = json.RawMessage(`{"x":2}`) },
	} {
		u := aUnit()
		change(u)
		require.NoError(t, u.Check(), name)
		require.Empty(t, addresses[u.Address()], name)
		addresses[u.Address()] = name
	}
	require.Equal(t, aUnit().Address(), aUnit().Address())
}

// Units come from other machines: none of them leads out of its directory.
func TestCheck(t *testing.T) {
	for wrong, change := range map[string]func(*Unit){
		"kind":               func(u *Unit) { u.Kind = "shell" },
		"which ldfi":         func(u *Unit) { u.Build = "" },
		"without a question": func(u *Unit) { u.Ask = json.RawMessage(`{`) },
		`"../b.ded"`:         func(u *Unit) { u.Files["../b.ded"] = u.Files["a.ded"] },
		`"x/../y"`:           func(u *Unit) { u.Files["x/../y"] = u.Files["a.ded"] },
		`"x//y"`:             func(u *Unit) { u.Files["x//y"] = u.Files["a.ded"] },
		`"x/."`:              func(u *Unit) { u.Files["x/."] = u.Files["a.ded"] },
		`"x\x00"`:            func(u *Unit) { u.Files["x\x00"] = u.Files["a.ded"] },
		`"\xff"`:             func(u *Unit) { u.Files["\xff"] = u.Files["a.ded"] }, // which JSON changes
		"as well":            func(u *Unit) { u.Files["a.ded/x/y"] = u.Files["a.ded"] },
		"10001 files": func(u *Unit) {
			for i := range mostFiles {
				u.Files[fmt.Sprint(i)] = u.Files["a.ded"]
			}
		},
		`"/etc/passwd"`: func(u *Unit) { u.Files["/etc/passwd"] = u.Files["a.ded"] },
		`"x/../../y"`:   func(u *Unit) { u.Files["x/../../y"] = u.Files["a.ded"] },
		`""`:            func(u *Unit) { u.Files[""] = u.Files["a.ded"] },
		`"."`:           func(u *Unit) { u.Files["."] = u.Files["a.ded"] },
		"whose digest":  func(u *Unit) { u.Files["a.ded"] = "../../x" },
	} {
		u := aUnit()
		change(u)
		require.ErrorContains(t, u.Check(), wrong)
	}
}

// Only what nobody could do is set aside: an error of the question is an answer.
func TestSetAside(t *testing.T) {
	for want, r := range map[string]Result{
		"set aside after 3 tries: it was killed": {Failure: "it was killed", Tries: 3},
		"set aside after 1 try: it was killed":   {Failure: "it was killed", Tries: 1},
		"":                                       {Failure: "there is no such process"},
	} {
		require.Equal(t, want, r.SetAside())
	}
}
