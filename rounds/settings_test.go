package rounds_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// settings returns the settings of "// ldfi:" comments, one a line. A line that
// begins with "included" stands in an included file.
func settings(comments string) []dedalus.Setting {
	var all []dedalus.Setting
	for i, line := range strings.Split(comments, "\n") {
		at := specs.Position{File: "p.ded", Line: i + 1, Column: 1}
		line, included := strings.CutPrefix(line, "included ")
		if included {
			at.File = "q.ded"
		}
		for _, word := range strings.Fields(line) {
			key, value, _ := strings.Cut(word, "=")
			all = append(all, dedalus.Setting{Key: key, Value: value, Position: at, Included: included})
			at.Column += len(word) + 1
		}
	}
	return all
}

func TestBoundsOfSettings(t *testing.T) {
	type flags map[string]string
	for _, test := range []struct {
		comments string
		flags    flags
		want     rounds.Bounds
		goals    string
	}{
		{"processes=a,b,c eot=6 eff=3 crashes=1", nil,
			rounds.Bounds{Processes: three, EOT: 6, EFF: 3, Crashes: 1, Omissions: rounds.Unlimited, Implied: true}, ""},
		{"processes=a,b,c eot=6\ncrash=stop crashes=unlimited goals=witnessed", nil,
			rounds.Bounds{Processes: three, EOT: 6, Crashes: rounds.Unlimited, CrashStop: true}, "witnessed"},
		{"processes=a,b,c eot=6 omissions=2 isolations=3 period=4 crash=mute", flags{"eot": "9", "omissions": "unlimited", "crash": "stop"},
			rounds.Bounds{Processes: three, EOT: 9, Omissions: rounds.Unlimited, Isolations: 3, Period: 4, CrashStop: true}, ""},
		{"", flags{"processes": "a, b,c", "eot": "2", "goals": "every"},
			rounds.Bounds{Processes: three, EOT: 2}, "every"},
		{"eot=6 eot=6 processes=a,b,c", nil,
			rounds.Bounds{Processes: three, EOT: 6}, ""},
		{"included eot=1 crashes=1 processes=a\nprocesses=a,b,c eot=6", nil,
			rounds.Bounds{Processes: three, EOT: 6, Crashes: 1}, ""},
		{"processes=a,b,c eot=6\nincluded eot=1\nincluded eot=2 crashes=1", nil,
			rounds.Bounds{Processes: three, EOT: 6, Crashes: 1}, ""},
		{"processes=a,b,c eot=6\neot=7", flags{"eot": "8"},
			rounds.Bounds{Processes: three, EOT: 8}, ""},
		{"processes=a,b,c eot=6 eff=0", nil,
			rounds.Bounds{Processes: three, EOT: 6, EFF: 1, Omissions: rounds.Unlimited, Implied: true}, ""},
		{"processes=a,b,c eot=6 eff=3", flags{"omissions": "0"},
			rounds.Bounds{Processes: three, EOT: 6, EFF: 3}, ""},
		{"processes=a,b,c eot=6 eff=3 isolations=1 omissions=0", nil,
			rounds.Bounds{Processes: three, EOT: 6, EFF: 3, Isolations: 1}, ""},
		{"processes=a,b,c eot=6 crashes=1 never-crash=c isolations=1 reliable=*>b,b>*", nil,
			rounds.Bounds{Processes: three, EOT: 6, Crashes: 1, Isolations: 1, NeverCrash: []string{"c"}, Reliable: []string{"*>b", "b>*"}}, ""},
		{"processes=a,b,c eot=6 crashes=1 never-crash=c reliable=*>b", flags{"never-crash": "a, b", "reliable": "none"},
			rounds.Bounds{Processes: three, EOT: 6, Crashes: 1, NeverCrash: []string{"a", "b"}}, ""},
		{"processes=a,b,c eot=6 crashes=1 never-crash=c", flags{"never-crash": "none"},
			rounds.Bounds{Processes: three, EOT: 6, Crashes: 1}, ""},
		{"processes=none,b eot=6 crashes=1 never-crash=none", nil,
			rounds.Bounds{Processes: []string{"none", "b"}, EOT: 6, Crashes: 1, NeverCrash: []string{"none"}}, ""},
	} {
		got, goals, err := rounds.BoundsOf(&dedalus.Program{Settings: settings(test.comments)}, test.flags)
		require.NoError(t, err, test.comments)
		require.Equal(t, test.want, got, test.comments)
		require.Equal(t, test.goals, goals, test.comments)
	}
}

func TestBoundsOfErrors(t *testing.T) {
	type flags map[string]string
	for i, test := range []struct {
		comments string
		flags    flags
	}{
		{"", nil},
		{"crashes=1", nil},
		{"eot=6 crashes=1", nil},
		{"processes=a,b", flags{"crashes": "1"}},
		{"processes=a,b,a,x@1 eot=six eff=-1 crshes=1 crash=die\nperiod=99999999999999999999 omissions=all goals", nil},
		{"processes=a,b eot=6\neot=7", nil},
		{"included eot=6\nincluded eot=7\nprocesses=a", nil},
		{"processes=a,b eot=0", flags{"crashes": "some", "processes": "a,,b"}},
		{"process=a,b eto=6", nil},
		{"processes=a,b eot=6 period=0", flags{"isolations": "1"}},
		{"processes=node1,node2 eot=6 never-crash=nod1 reliable=*>nod2,node1", flags{"never-crash": "node2,node2"}},
		{"processes=node1,node2 eot=6 nevr-crash=node1", nil},
		{"processes=node1,nod@ eot=6 never-crash=node3,node1,node4 reliable=*>node3", nil},
	} {
		_, _, err := rounds.BoundsOf(&dedalus.Program{Settings: settings(test.comments)}, test.flags)
		require.Error(t, err)
		golden.Equal(t, fmt.Sprintf("settings/error%d.txt", i+1), []byte(test.comments+"\n"+fmt.Sprintln(test.flags)+"\n"+err.Error()+"\n"))
	}
}

func TestBoundsOf(t *testing.T) {
	p, err := dedalus.ParseText("p.ded", "q(\"a\")@1;\n// ldfi: processes=a eot=six\n")
	require.NoError(t, err)
	_, _, err = rounds.BoundsOf(p, nil)
	var placed *specs.Error
	require.ErrorAs(t, err, &placed)
	require.Equal(t, 2, placed.Position.Line)
	require.EqualError(t, err, `p.ded:2:22: eot=six: expected a whole number, 0 or more
    // ldfi: processes=a eot=six
                         ^`)
	b, _, err := rounds.BoundsOf(p, map[string]string{"eot": "6"})
	require.NoError(t, err)
	require.Equal(t, "1 process, 6 rounds, no faults", b.String())
}
