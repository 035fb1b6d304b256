package process_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// polledNode returns a server that is polled.
func polledNode(t *testing.T, polls ...string) *system.System {
	c := process.Cluster{Apart: -1, Rounds: 20, Nodes: []process.Node{{Name: "n1", File: built(t, "./testdata/polled"), Polls: polls}}}
	s, err := c.System()
	require.NoError(t, err)
	return s
}

// reports returns the facts of relations with their rounds.
func reports(t *testing.T, s *system.System, schedule string, relations ...string) (all []string) {
	e, _ := run(t, s, schedule)
	require.Empty(t, e.Messages)
	for _, r := range relations {
		all = append(all, recordedAs(e, r)...)
	}
	return all
}

func recordedAs(e *recording.Execution, relation string) (all []string) {
	for _, f := range e.Facts {
		if f.Relation == relation {
			all = append(all, f.String())
		}
	}
	return all
}

// What a server says of itself is in the recording, of the round in which it is asked, and
// how it was asked is not.
func TestPolls(t *testing.T) {
	require.Equal(t, []string{
		`metric("n1", "asked_total", "by="a \"poll\"",path="/metrics"", 1)@8`,
		`metric("n1", "bytes", "", 1500000)@8`,
		`metric("n1", "none", "", "NaN")@8`,
		`metric("n1", "wait_seconds", "quantile="0.5"", "0.25")@8`,
		`metric("n1", "asked_total", "by="a \"poll\"",path="/metrics"", 2)@16`,
		`metric("n1", "bytes", "", 1500000)@16`,
		`metric("n1", "none", "", "NaN")@16`,
		`metric("n1", "wait_seconds", "quantile="0.5"", "0.25")@16`,
	}, reports(t, polledNode(t, "every 8 http://{ip}/metrics"), "", "metric", "log"))
	require.Equal(t, []string{
		`json("n1", "none", "[]")@15`,
		`json("n1", "ready", "true")@15`,
		`json("n1", "streams.0.lag", 0)@15`,
		`json("n1", "streams.0.name", "orders")@15`,
		`json("n1", "streams.0.rate", "1.5")@15`,
		`json("n1", "streams.1.lead", "null")@15`,
		`json("n1", "streams.1.name", "bills")@15`,
	}, reports(t, polledNode(t, "every 15 http://{name}:80/stats"), "", "json", "log"))
}

// A server that is down or stands still is not asked until it is there again, and an answer
// that takes time comes in a later round.
func TestPollsWait(t *testing.T) {
	late := polledNode(t, "every 6 http://{ip}/late")
	require.Equal(t, []string{`json("n1", "at", "00.08")@9`, `json("n1", "at", "00.14")@15`}, reports(t, late, "", "json"))
	require.Equal(t, []string{`json("n1", "at", "00.14")@15`}, reports(t, late, "crash n1@5; restart n1@7", "json"))
	require.Equal(t, []string{`json("n1", "at", "00.08")@11`, `json("n1", "at", "00.14")@17`}, reports(t, late, "pause n1@6..7", "json"))
	require.Empty(t, reports(t, late, "crash n1@8", "json", "log"), "it has not answered")
	require.Equal(t, []string{
		`log("n1", "", "ldfi: nobody listens to the poll of http://10.0.0.1:81/", "", "")@8`,
		`log("n1", "", "ldfi: nobody listens to the poll of http://10.0.0.1:81/", "", "")@16`,
	}, reports(t, polledNode(t, "every 8 http://{ip}:81/"), "", "json", "log"))
	all := reports(t, polledNode(t, "every 2 http://{ip}/late"), "", "json", "log") // it is asked again before it answers
	require.NotEmpty(t, all)
	for _, said := range all {
		require.Contains(t, said, "ldfi: the poll of http://10.0.0.1/late had no answer until the next")
	}
}

// What is left out is told.
func TestPollsLeaveOut(t *testing.T) {
	all := reports(t, polledNode(t, "every 20 http://{ip}/many"), "", "json", "log")
	require.Len(t, all, 2001)
	require.Equal(t, `log("n1", "", "ldfi: the answer to the poll of http://10.0.0.1/many has 2501 values, of which the last 501 are left out", "", "")@20`, all[2000])
	for path, said := range map[string]string{
		"text": "is neither JSON nor the text of Prometheus: line 1: metric all: is is no number",
		"none": "is 404 Not Found",
	} {
		require.Equal(t, []string{fmt.Sprintf(`log("n1", "", "ldfi: the answer to the poll of http://10.0.0.1/%s %s", "", "")@20`, path, said)},
			reports(t, polledNode(t, "every 20 http://{ip}/"+path), "", "json", "metric", "log"))
	}
}

// Polls change nothing but that they are answered, and the same schedule gives the same.
func TestPollsChangeNothing(t *testing.T) {
	without := func(polls ...string) string {
		s := polledNode(t, polls...)
		e, _ := run(t, s, "crash n1@9; restart n1@10")
		again, _ := run(t, s, "crash n1@9; restart n1@10")
		require.Equal(t, e, again)
		return strings.Join(append(recordedAs(e, "up"), recordedAs(e, "listens")...), " ")
	}
	require.Equal(t, without(), without("every 3 http://{ip}/metrics", "every 1 http://{ip}/stats"))
}

// A poll that cannot be made is told before anything is executed.
func TestPollsMistaken(t *testing.T) {
	for poll, wrong := range map[string]string{
		"http://{ip}/":               "expected a number of rounds and an address, as in every 20 http://{ip}:8222/jsz",
		"every x http://{ip}/":       "x is no number of rounds",
		"every 0 http://{ip}/":       "0 is no number of rounds",
		"every 5 https://{ip}/":      "a poll is a GET of http://",
		"every 5 http://{ip}:70000/": "70000 is no port",
		"every 5 http://10.0.0.2/":   "a node is asked about itself, by {ip} or {name}, and not about 10.0.0.2",
		"every 5 http://{ips}/":      `there is no {ips} (did you mean "ip"?)`,
		"every 5 http://{ip}/%zz":    "invalid URL escape",
		"every 5 http://{ip}/ often": "expected a number of rounds",
		"every 5 http://{ip}/ ":      "",
	} {
		c := process.Cluster{Nodes: []process.Node{{Name: "n1", Polls: []string{poll}}}}
		_, err := c.System()
		if wrong == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, "node n1: poll ", poll)
		require.ErrorContains(t, err, wrong)
	}
}

// A search that finds nothing warns of a poll that no node answered in any execution, such
// as one of a mistyped port, and not of others.
func TestPollsThatNobodyAnswers(t *testing.T) {
	s := polledNode(t, "every 5 http://{ip}/stats", "every 5 http://{ip}:81/stats")
	target, err := search.NewTarget(s, nil)
	require.NoError(t, err)
	a, err := strategies.Run(t.Context(), target, search.Options{Strategy: "enumerate", Executions: 100, Bounds: rounds.Bounds{Processes: s.Processes, EOT: 12, Crashes: 1, At: "phase", Period: 6}})
	require.NoError(t, err)
	require.Equal(t, result.Holds, a.Verdict)
	var all []string
	for _, w := range a.Warnings {
		if w.Position.File == "checks and polls" {
			all = append(all, w.Message)
		}
	}
	require.Equal(t, []string{`polled(P, "http://10.0.0.1:81/stats", _) had no fact under any schedule within the bounds: this never held, or was never reached`}, all)
}

// Values in other places of an answer in JSON have other paths, whatever its keys are.
func TestPathsOfJSON(t *testing.T) {
	all, err := process.JSONFacts(`{"a": {"b": 1}, "a.b": 2, "": {"x": 3}, "c[\"d\"]": 4, "e": [{"f.g": 5}], "h": {"": {"i": 6}}}`)
	require.NoError(t, err)
	require.Equal(t, []string{`a.b1`, `["a.b"]2`, `[""].x3`, `["c[\"d\"]"]4`, `e.0["f.g"]5`, `h[""].i6`}, all)
	_, err = process.JSONFacts(`[{"a": 1, "b": 2, "a": 3}]`)
	require.EqualError(t, err, `the key "a" is there twice in one object`)
}
