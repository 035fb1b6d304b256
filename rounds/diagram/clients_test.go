package diagram_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// operation returns a request or a reply.
func operation(relation, process string, id int, payload string, round int) recording.Fact {
	return recording.Fact{Relation: relation, Args: []specs.Value{specs.String(process), specs.Int(int64(id)), specs.String(payload)}, Round: round}
}

// served is an execution of a system with what clients ask and are told.
func served(t *testing.T, b rounds.Bounds, schedule string, facts []recording.Fact, messages ...[]string) *recording.Execution {
	t.Helper()
	e := oracle.Play(t, b, schedule, messages...)
	e.System, e.Facts = "served", facts
	e.Sort()
	return e
}

func TestClients(t *testing.T) {
	three := rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 6, CrashStop: true}
	var crowd []recording.Fact
	var names []string
	for i := range 10 {
		name := fmt.Sprintf("p%d", i)
		names = append(names, name)
		crowd = append(crowd, operation("request", name, i, "read", 1), operation("reply", name, i, "0", 2))
	}
	var burst []recording.Fact
	for i := range 20 {
		burst = append(burst, operation("request", "a", i, "write", 2))
	}
	for name, e := range map[string]*recording.Execution{
		"register": served(t, three, "omit a>b@1..5; crash a@5", []recording.Fact{
			operation("request", "a", 1, "5", 1), operation("reply", "a", 1, "ok", 1),
			operation("request", "b", 2, "read", 4), operation("reply", "b", 2, "0", 4),
			operation("request", "b", 3, "read", 5),
			operation("request", "a", 4, "a payload that is much too long for an arrow", 3), operation("reply", "c", 4, "the same of the reply, from another process", 5),
		}, []string{"a", "b", "value"}),
		"crowd": served(t, rounds.Bounds{Processes: names, EOT: 3}, "", crowd, []string{"p0", "p1", "value"}),
		"burst": served(t, three, "", burst, []string{"a", "b", "value"}),
		"wide": served(t, rounds.Bounds{Processes: []string{"e\u0301tienne", "参加者"}, EOT: 2}, "", []recording.Fact{
			operation("request", "参加者", 1, "投票", 1), operation("reply", "参加者", 1, "はい", 2), operation("request", "e\u0301tienne", 2, "👨\u200d👩\u200d👧", 2),
		}),
		"odd": served(t, three, "", []recording.Fact{
			operation("request", "x", 1, "\x1b[31mred\n", 1), operation("reply", "x", 1, "\u202e", 1), operation("reply", "b", 9, "to nobody", 2),
			{Relation: "request", Args: []specs.Value{specs.String("a")}, Round: 3}, operation("request", "c", 5, "", 6),
		}),
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, diagram.Write(&out, e, diagram.Options{}))
			golden.Equal(t, "clients/"+name+".txt", out.Bytes())
			out.Reset()
			require.NoError(t, diagram.WriteMermaid(&out, e, diagram.Options{}))
			golden.Equal(t, "clients/"+name+".mmd", out.Bytes())
			requireMermaid(t, out.String())
		})
	}
}

// A program may have relations of those names for other things.
func TestClientsOfProgramsHaveNoLanes(t *testing.T) {
	e := served(t, rounds.Bounds{Processes: []string{"a"}, EOT: 2}, "", []recording.Fact{operation("request", "a", 1, "read", 1)})
	e.System = ""
	var out bytes.Buffer
	require.NoError(t, diagram.Write(&out, e, diagram.Options{}))
	require.NotContains(t, out.String(), "client")
	require.Empty(t, diagram.Events(e))
}

var (
	drawn   = regexp.MustCompile(`(?m)^.*\bop\d+: .*$`)
	counted = regexp.MustCompile(`(\d+) (request|reply\b|replies)`)
)

// Every request and every reply is drawn once, or counted where it is left out.
func TestClientsAreDrawnOrCounted(t *testing.T) {
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 0))
		e := served(t, rounds.Bounds{Processes: strings.Fields("a b c d e f g h i j")[:1+random.IntN(10)], EOT: 1 + random.IntN(12)}, "", nil, []string{"a", "a", "tick"})
		if len(e.Bounds.Processes) > 1 && random.IntN(2) == 0 {
			e = served(t, e.Bounds, "", nil, []string{"a", "b", "value"}, []string{"b", "a", "value"})
		}
		operations := random.IntN(1 << random.IntN(10))
		for i := range operations {
			relation := []string{"request", "reply"}[random.IntN(2)]
			process := append(e.Bounds.Processes, "nobody")[random.IntN(len(e.Bounds.Processes)+1)]
			e.Facts = append(e.Facts, recording.Fact{
				Relation: relation, Round: 1 + random.IntN(e.Bounds.EOT),
				Args: []specs.Value{specs.String(process), specs.String(fmt.Sprintf("op%d", random.IntN(i+1))), specs.String(fmt.Sprint(i))},
			})
		}
		e.Sort()
		for form, write := range map[string]func(*bytes.Buffer, diagram.Options) error{
			"text":    func(b *bytes.Buffer, o diagram.Options) error { return diagram.Write(b, e, o) },
			"Mermaid": func(b *bytes.Buffer, o diagram.Options) error { return diagram.WriteMermaid(b, e, o) },
		} {
			for _, all := range []bool{false, true} {
				var out bytes.Buffer
				require.NoError(t, write(&out, diagram.Options{All: all, Notes: []diagram.Note{{Round: e.Bounds.EOT, Text: "the end"}}}))
				text := strings.ReplaceAll(strings.ReplaceAll(out.String(), "#58;", ":"), "#34;", `"`)
				n := len(drawn.FindAllString(text, -1))
				for _, c := range counted.FindAllStringSubmatch(text, -1) {
					more, err := strconv.Atoi(c[1])
					require.NoError(t, err)
					n += more
				}
				require.Equal(t, operations, n, "%s of seed %d (all: %t):\n%s", form, seed, all, text)
			}
		}
		events := 0
		for _, event := range diagram.Events(e) {
			if strings.Contains(event.Text, "a client") {
				events++
			}
		}
		require.Equal(t, operations, events)
	}
}
